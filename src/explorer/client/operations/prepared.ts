import type { Variables } from "../service";

export interface Group {
  readonly label: string;
  readonly operations: readonly Prepared[];
}

/** An operation that stands in the menu. */
export interface Prepared {
  readonly label: string;
  /** A document with one operation, which has a name. */
  readonly query: string;
  /** The variables that it begins with. */
  readonly variables: () => Variables;
}

/**
 * What an administrator does in a day, by group: `label` stands in the menu, `variables()` are filled
 * in when the operation is opened. An id of 0 and an empty name are refused, so that nothing changes
 * before they are replaced.
 */
export const groups: readonly Group[] = [
  {
    label: "Orders",
    operations: [
      {
        label: "Today's orders",
        query: `query TodaysOrders(
  $filter: OrderFilter
  $page: Int! = 1
) {
  orders(
    filter: $filter
    page: $page
    pageSize: 50
  ) {
    meta { total page totalPages }
    data {
      id
      customerEmail
      totalAmount
      status
      createdAt
    }
  }
}`,
        variables: () => ({ filter: { placedFrom: midnight() } }),
      },
      {
        label: "An order with its items",
        query: `query OrderWithItems($id: Int!) {
  order(id: $id) {
    id
    customerEmail
    status
    totalAmount
    createdAt
    items {
      quantity
      unitPrice
      product { id name }
    }
  }
}`,
        variables: () => ({ id: 0 }),
      },
      {
        label: "Mark an order paid",
        query: `mutation MarkPaid($id: Int!) {
  setOrderStatus(id: $id, status: PAID) {
    id
    customerEmail
    totalAmount
    status
  }
}`,
        variables: () => ({ id: 0 }),
      },
      {
        label: "Cancel an order",
        query: `mutation CancelOrder($id: Int!) {
  setOrderStatus(id: $id, status: CANCELLED) {
    id
    customerEmail
    totalAmount
    status
  }
}`,
        variables: () => ({ id: 0 }),
      },
    ],
  },
  {
    label: "Catalogue",
    operations: [
      {
        label: "New product",
        query: `mutation NewProduct($input: CreateProductInput!) {
  createProduct(input: $input) {
    id
    name
    slug
    price
    isActive
    category { name }
  }
}`,
        variables: () => ({
          input: { name: "", description: "", price: "0.00", categoryId: 0, isActive: true },
        }),
      },
      {
        label: "Change a price",
        query: `mutation ChangePrice(
  $id: Int!
  $price: Decimal!
) {
  updateProduct(
    id: $id
    input: { price: $price }
  ) {
    id
    name
    price
    updatedAt
  }
}`,
        variables: () => ({ id: 0, price: "0.00" }),
      },
      {
        label: "Switch a product off",
        query: `mutation SwitchProductOff($id: Int!) {
  setProductStatus(id: $id, isActive: false) {
    id
    name
    isActive
    updatedAt
  }
}`,
        variables: () => ({ id: 0 }),
      },
      {
        label: "New category",
        query: `mutation NewCategory($input: CreateCategoryInput!) {
  createCategory(input: $input) {
    id
    name
    slug
    isActive
  }
}`,
        variables: () => ({ input: { name: "" } }),
      },
    ],
  },
  {
    label: "Newsletter",
    operations: [
      {
        label: "Subscribers",
        query: `query Subscribers($page: Int! = 1) {
  newsletterSubscribers(page: $page, pageSize: 50) {
    meta { total page totalPages }
    data {
      id
      email
      isActive
      createdAt
    }
  }
}`,
        variables: () => ({ page: 1 }),
      },
    ],
  },
  {
    label: "Without signing in",
    operations: [
      {
        label: "Catalogue with categories",
        query: `query Catalogue($page: Int! = 1) {
  products(
    page: $page
    pageSize: 50
    sort: { field: NAME, direction: ASC }
  ) {
    meta { total page totalPages }
    data {
      id
      name
      price
      isActive
      category { id name }
    }
  }
}`,
        variables: () => ({ page: 1 }),
      },
      {
        label: "Find a product",
        query: `query FindProduct($search: String!) {
  products(
    filter: { search: $search }
    pageSize: 50
  ) {
    meta { total }
    data {
      id
      name
      price
      isActive
      category { name }
    }
  }
}`,
        variables: () => ({ search: "" }),
      },
    ],
  },
];

/** What a visitor sees who has not signed in. */
export const firstOperation = operationLabelled("Catalogue with categories");

function operationLabelled(label: string): Prepared {
  const found = groups.flatMap(({ operations }) => operations).find((each) => each.label === label);
  if (!found) throw new Error(`There is no operation ${label}`);
  return found;
}

/** The start of today in UTC, as the service keeps time. */
function midnight(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}
