import { decode } from "jsonwebtoken";

/** What a caller sends: the id that is named, the body, the query's parameters. */
export interface Input {
  readonly id?: number;
  readonly body?: object;
  readonly query?: Readonly<Record<string, string | number>>;
  /** What guards an order: headers of REST, arguments of GraphQL. */
  readonly guards?: { readonly idempotencyKey?: string; readonly expectedTotal?: string };
}

/** An operation that both doors have, and how each of them puts it. */
export interface Operation {
  readonly rest: {
    readonly method: string;
    path(id: number | undefined): string;
    /** What the answer's body says, in the form that both doors have in common. */
    present?(body: never): unknown;
  };
  readonly graphql: {
    readonly document: string;
    variables?(input: Input): object;
    /** Finds the operation's own value in the answer's data. */
    present(data: never): unknown;
  };
}

const category = "id name slug isActive createdAt";
const product = "id name slug description price isActive categoryId createdAt updatedAt";
const order = "id customerEmail totalAmount status createdAt";
const meta = "meta { total page pageSize totalPages }";

const claimsOf = (token: string): unknown => {
  const { iat, exp, id, sub, email, role } = decode(token, { json: true }) ?? {};
  return { id, sub, email, role, lifetime: Number(exp) - Number(iat) };
};

/** Every operation that REST has. GraphQL has more. */
export const operations = {
  login: {
    rest: {
      method: "POST",
      path: () => "/auth/login",
      present: (body: { access_token: string }) => claimsOf(body.access_token),
    },
    graphql: {
      document: `mutation ($body: LoginInput!) { login(input: $body) { accessToken } }`,
      present: (data: { login: { accessToken: string } }) => claimsOf(data.login.accessToken),
    },
  },
  listCategories: {
    rest: { method: "GET", path: () => "/categories" },
    graphql: {
      document: `{ categories { ${category} } }`,
      present: (data: { categories: unknown }) => data.categories,
    },
  },
  createCategory: {
    rest: { method: "POST", path: () => "/categories" },
    graphql: {
      document: `mutation ($body: CreateCategoryInput!) { createCategory(input: $body) { ${category} } }`,
      present: (data: { createCategory: unknown }) => data.createCategory,
    },
  },
  updateCategory: {
    rest: { method: "PATCH", path: (id) => `/categories/${id}` },
    graphql: {
      document: `mutation ($id: Int!, $body: UpdateCategoryInput!) {
        updateCategory(id: $id, input: $body) { ${category} }
      }`,
      present: (data: { updateCategory: unknown }) => data.updateCategory,
    },
  },
  deleteCategory: {
    rest: { method: "DELETE", path: (id) => `/categories/${id}` },
    graphql: {
      document: `mutation ($id: Int!) { deleteCategory(id: $id) { ${category} } }`,
      present: (data: { deleteCategory: unknown }) => data.deleteCategory,
    },
  },
  listProducts: {
    rest: { method: "GET", path: () => "/products" },
    graphql: {
      document: `query ($page: Int, $pageSize: Int) {
        products(page: $page, pageSize: $pageSize) { data { ${product} } ${meta} }
      }`,
      present: (data: { products: unknown }) => data.products,
    },
  },
  productsOfCategory: {
    rest: { method: "GET", path: (id) => `/products/category/${id}` },
    graphql: {
      document: `query ($id: Int!) {
        category(id: $id) { products(pageSize: 50) { data { ${product} } } }
      }`,
      present: (data: { category: { products: { data: unknown } } }) => data.category.products.data,
    },
  },
  productsFilteredByCategory: {
    rest: { method: "GET", path: (id) => `/products/category/${id}` },
    graphql: {
      document: `query ($id: Int!) {
        products(pageSize: 50, filter: { categoryId: $id }) { data { ${product} } }
      }`,
      present: (data: { products: { data: unknown } }) => data.products.data,
    },
  },
  getProduct: {
    rest: { method: "GET", path: (id) => `/products/${id}` },
    graphql: {
      document: `query ($id: Int!) { product(id: $id) { ${product} } }`,
      present: (data: { product: unknown }) => data.product,
    },
  },
  createProduct: {
    rest: { method: "POST", path: () => "/products" },
    graphql: {
      document: `mutation ($body: CreateProductInput!) { createProduct(input: $body) { ${product} } }`,
      present: (data: { createProduct: unknown }) => data.createProduct,
    },
  },
  setProductStatus: {
    rest: { method: "PATCH", path: (id) => `/products/${id}/status` },
    graphql: {
      document: `mutation ($id: Int!, $isActive: Boolean!) {
        setProductStatus(id: $id, isActive: $isActive) { ${product} }
      }`,
      variables: ({ id, body }) => ({ id, ...body }),
      present: (data: { setProductStatus: unknown }) => data.setProductStatus,
    },
  },
  deleteProduct: {
    rest: { method: "DELETE", path: (id) => `/products/${id}` },
    graphql: {
      document: `mutation ($id: Int!) { deleteProduct(id: $id) { ${product} } }`,
      present: (data: { deleteProduct: unknown }) => data.deleteProduct,
    },
  },
  placeOrder: {
    rest: { method: "POST", path: () => "/orders" },
    graphql: {
      document: `mutation ($body: PlaceOrderInput!, $idempotencyKey: String, $expectedTotal: Decimal) {
        placeOrder(input: $body, idempotencyKey: $idempotencyKey, expectedTotal: $expectedTotal) {
          ${order} items { id orderId productId quantity unitPrice }
        }
      }`,
      variables: ({ body, guards }) => ({ body, ...guards }),
      present: (data: { placeOrder: unknown }) => data.placeOrder,
    },
  },
  listOrders: {
    rest: { method: "GET", path: () => "/orders" },
    graphql: {
      document: `query ($page: Int, $pageSize: Int, $filter: OrderFilter) {
        orders(page: $page, pageSize: $pageSize, filter: $filter) { data { ${order} } ${meta} }
      }`,
      variables: ({ query: { page, pageSize, ...filter } = {} }) => ({ page, pageSize, filter }),
      present: (data: { orders: unknown }) => data.orders,
    },
  },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
