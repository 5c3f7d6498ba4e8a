import type { Source } from "../api/data-provider";
import type {
  ProductFilter,
  ProductListQuery,
  ProductPageQuery,
  UpdateProductInput,
} from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { changesOf } from "../parts/changes";
import { priceIn } from "../parts/format";
import type { Named } from "../parts/picker";

const ProductList = graphql(`
  query ProductList($page: Int!, $pageSize: Int!, $filter: ProductFilter, $sort: ProductSort) {
    products(page: $page, pageSize: $pageSize, filter: $filter, sort: $sort) {
      data { id name price isActive createdAt updatedAt version category { id name } }
      meta { total }
    }
  }
`);

const ProductPage = graphql(`
  query ProductPage($id: Int!) {
    product(id: $id) {
      id name slug description price isActive categoryId createdAt updatedAt version
      lowestPriceBefore category { name slug } prices(first: 50) { price from until isWithdrawn }
    }
  }
`);

const CreateProduct = graphql(`
  mutation CreateProduct($input: CreateProductInput!) {
    createProduct(input: $input) { id name version }
  }
`);

const UpdateProduct = graphql(`
  mutation UpdateProduct($id: Int!, $input: UpdateProductInput!, $version: Int!) {
    updateProduct(id: $id, input: $input, expectedVersion: $version) { id }
  }
`);

const DeleteProduct = graphql(`
  mutation DeleteProduct($id: Int!, $version: Int!) {
    deleteProduct(id: $id, expectedVersion: $version) { id }
  }
`);

const WithdrawPrice = graphql(`
  mutation WithdrawPrice($id: Int!, $from: DateTime!, $version: Int!) {
    withdrawPrice(productId: $id, from: $from, expectedVersion: $version) { id }
  }
`);

/** A product in a list. */
export type Product = ProductListQuery["products"]["data"][number];
/** A product with all that its page shows. */
export type WholeProduct = NonNullable<ProductPageQuery["product"]>;

/** What the address of the list says. */
export interface ProductConditions {
  readonly search?: string;
  readonly category?: number;
  readonly sale?: "on" | "off";
  readonly least?: string;
  readonly most?: string;
}

/** The conditions as the service takes them. */
export function productFilter(conditions: ProductConditions): ProductFilter {
  const { search, category, sale, least, most } = conditions;
  const price = (text: string): string => {
    const found = priceIn(text);
    if (found === undefined) throw new Error("shop.products.no_price");
    return found;
  };
  return {
    ...(search !== undefined && { search }),
    ...(category !== undefined && { categoryId: category }),
    ...(sale && { isActive: sale === "on" }),
    ...(least !== undefined && { minPrice: price(least) }),
    ...(most !== undefined && { maxPrice: price(most) }),
  };
}

const SORTS = { name: "NAME", price: "PRICE", createdAt: "CREATED_AT" } as const;
const FIELDS = ["name", "slug", "description", "price", "categoryId", "isActive"] as const;

/** @throws Failure */
async function whole(id: number): Promise<WholeProduct | null> {
  return (await request(ProductPage, { id })).product ?? null;
}

/** Changes fields of a product that still has the version. @throws Failure */
export async function changeProduct(
  id: number,
  input: UpdateProductInput,
  version: number,
): Promise<void> {
  await request(UpdateProduct, { id, input, version });
}

/** Takes an earlier price out of the lowest one before. @throws Failure */
export const withdrawPrice = ({ id, version }: WholeProduct, from: string): Promise<unknown> =>
  request(WithdrawPrice, { id, from, version });

/** What is typed as the service takes it: prices with a point. */
const asSent = (input: Record<string, unknown>): Record<string, unknown> => {
  const { price } = input;
  return typeof price === "string" ? { ...input, price: priceIn(price) ?? price } : input;
};

export const products: Source<Product | WholeProduct> = {
  list: async ({ page, pageSize, sort, filter, signal }) => {
    const field = SORTS[sort.field as keyof typeof SORTS];
    const { products: found } = await request(
      ProductList,
      {
        ...{ page, pageSize, filter: productFilter(filter) },
        sort: { field, direction: sort.order },
      },
      signal,
    );
    return { data: found.data, total: found.meta.total };
  },
  one: (id) => whole(Number(id)),
  create: async (input) => {
    const { createProduct } = await request(CreateProduct, { input: asSent(input) as never });
    return createProduct as WholeProduct;
  },
  update: async (id, wanted, previous) => {
    const input = changesOf(asSent(wanted), previous, FIELDS);
    if (Object.keys(input).length > 0) await changeProduct(Number(id), input, previous.version);
    return (await whole(Number(id))) as WholeProduct;
  },
  remove: async (previous) => {
    await request(DeleteProduct, { id: previous.id, version: previous.version });
    return previous;
  },
};

/** Products that a part of their name or description finds, best first; the newest ones for an empty text. */
export async function findProducts(search: string, signal?: AbortSignal): Promise<Named[]> {
  const { products: found } = await request(
    ProductList,
    {
      ...{ page: 1, pageSize: 20 },
      ...(search.trim() !== "" && { filter: { search }, sort: { field: "RELEVANCE" } }),
    },
    signal,
  );
  return found.data;
}
