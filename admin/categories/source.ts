import type { Named, Source } from "../api/data-provider";
import type { CategoryPageQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";

const CategoryList = graphql(`
  query CategoryList { categories { id name slug isActive createdAt version } }
`);
const CategoryPage = graphql(`
  query CategoryPage($id: Int!) {
    category(id: $id) { id name slug isActive createdAt version products(pageSize: 1) { meta { total } } }
  }
`);
const CreateCategory = graphql(`
  mutation CreateCategory($input: CreateCategoryInput!) { createCategory(input: $input) { id name version } }
`);
const UpdateCategory = graphql(`
  mutation UpdateCategory($id: Int!, $input: UpdateCategoryInput!, $version: Int!) {
    updateCategory(id: $id, input: $input, expectedVersion: $version) { id }
  }
`);
const DeleteCategory = graphql(`
  mutation DeleteCategory($id: Int!, $version: Int!) {
    deleteCategory(id: $id, expectedVersion: $version) { id }
  }
`);

export type WholeCategory = NonNullable<CategoryPageQuery["category"]>;
export type Category = Omit<WholeCategory, "products">;

/** All categories, which the service sends at once; asked for again after half a minute, or after a change here. */
let all: { readonly at: number; readonly categories: Promise<Category[]> } | undefined;

const plain = (text: string): string =>
  text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Categories that have the text in their name, letter case and accents ignored. @throws Failure */
async function found(text: string): Promise<Category[]> {
  if (!all || Date.now() - all.at > 30_000) {
    const categories = request(CategoryList, {}).then((answer) => answer.categories);
    all = { at: Date.now(), categories };
    categories.catch(() => (all = undefined));
  }
  const part = plain(text);
  return (await all.categories).filter(({ name }) => plain(name).includes(part));
}

export const findCategories = async (text: string): Promise<Named[]> =>
  (await found(text)).slice(0, 50);

/** After this, all categories are asked for again. */
async function changed<T>(work: Promise<T>): Promise<T> {
  return work.finally(() => (all = undefined));
}

export const categories = {
  fields: ["name", "slug", "isActive"],
  list: async ({ page, pageSize, sort, filter }) => {
    if (page === 1) all = undefined;
    const data = await found((filter as { search?: string }).search ?? "");
    const sign = sort.order === "ASC" ? 1 : -1;
    const key = sort.field === "createdAt" ? "createdAt" : "name";
    data.sort((one, other) => sign * one[key].localeCompare(other[key]));
    return { data: data.slice((page - 1) * pageSize, page * pageSize), total: data.length };
  },
  one: async (id: number) => (await request(CategoryPage, { id })).category,
  create: async (input: never) =>
    (await changed(request(CreateCategory, { input }))).createCategory,
  change: (id, input, version) => changed(request(UpdateCategory, { id, input, version })),
  remove: (id, version) => changed(request(DeleteCategory, { id, version })),
} satisfies Source<Category>;
