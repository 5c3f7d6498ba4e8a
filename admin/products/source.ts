import type { Named, Source } from "../api/data-provider";
import type { ProductFilter, ProductListQuery, ProductPageQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { priceIn } from "../parts/format";
import { t } from "../texts";

const ProductList = graphql(`
  query ProductList($page: Int!, $pageSize: Int!, $filter: ProductFilter, $sort: ProductSort) {
    products(page: $page, pageSize: $pageSize, filter: $filter, sort: $sort) {
      data { id name price isActive createdAt updatedAt version category { id name } } meta { total }
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
  mutation CreateProduct($input: CreateProductInput!) { createProduct(input: $input) { id name version } }
`);
const UpdateProduct = graphql(`
  mutation UpdateProduct($id: Int!, $input: UpdateProductInput!, $version: Int!) {
    updateProduct(id: $id, input: $input, expectedVersion: $version) { id }
  }
`);
const DeleteProduct = graphql(`
  mutation DeleteProduct($id: Int!, $version: Int!) { deleteProduct(id: $id, expectedVersion: $version) { id } }
`);
const WithdrawPrice = graphql(`
  mutation WithdrawPrice($id: Int!, $from: DateTime!, $version: Int!) {
    withdrawPrice(productId: $id, from: $from, expectedVersion: $version) { id }
  }
`);

export type Product = ProductListQuery["products"]["data"][number];
export type WholeProduct = NonNullable<ProductPageQuery["product"]>;
type ProductConditions = { readonly category?: number } & Readonly<
  Partial<Record<"search" | "sale" | "least" | "most", string>>
>;

/** The conditions as the service takes them. @throws Error if the address has a price that is none */
export function productFilter(conditions: ProductConditions): ProductFilter {
  const { search, category, sale, least, most } = conditions;
  const [minPrice, maxPrice] = [least, most].map((text) => {
    const price = text === undefined ? undefined : priceIn(text);
    if (text !== undefined && price === undefined) throw new Error(t("list.no_price"));
    return price;
  });
  const isActive = sale === undefined ? undefined : sale === "on";
  return { search, categoryId: category, isActive, minPrice, maxPrice };
}

/** What is typed as the service takes it: prices with a point. */
const asSent = <Input extends { price?: unknown }>({ price, ...others }: Input) =>
  ({ ...others, ...(typeof price === "string" && { price: priceIn(price) ?? price }) }) as never;

const SORTS: Record<string, string> = { name: "NAME", price: "PRICE", createdAt: "CREATED_AT" };

export const products = {
  fields: ["name", "price", "categoryId", "isActive", "slug", "description"],
  list: async ({ page, pageSize, sort, filter, signal }) => {
    const order = { field: SORTS[sort.field] as "NAME", direction: sort.order };
    const variables = { page, pageSize, filter: productFilter(filter), sort: order };
    const { products: found } = await request(ProductList, variables, signal);
    return { data: found.data, total: found.meta.total };
  },
  one: async (id: number) => (await request(ProductPage, { id })).product,
  create: async (input: object) =>
    (await request(CreateProduct, { input: asSent(input) })).createProduct,
  change: (id, input, version) => request(UpdateProduct, { id, input: asSent(input), version }),
  remove: (id, version) => request(DeleteProduct, { id, version }),
} satisfies Source<Product>;

/** Takes an earlier price out of the lowest one before. @throws Failure */
export const withdrawPrice = ({ id, version }: WholeProduct, from: string): Promise<unknown> =>
  request(WithdrawPrice, { id, from, version });

/** Products that a part of their name or description finds, best first; the newest ones for an empty text. */
export async function findProducts(search: string, signal?: AbortSignal): Promise<Named[]> {
  const isAny = search.trim() === "";
  const found = isAny ? {} : { filter: { search }, sort: { field: "RELEVANCE" as const } };
  return (await request(ProductList, { page: 1, pageSize: 20, ...found }, signal)).products.data;
}
