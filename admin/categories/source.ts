import type { Source } from "../api/data-provider";
import type { CategoryPageQuery, UpdateCategoryInput } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { changesOf } from "../parts/changes";
import type { Named } from "../parts/picker";

const CategoryList = graphql(`
  query CategoryList { categories { id name slug isActive createdAt version } }
`);

const CategoryPage = graphql(`
  query CategoryPage($id: Int!) {
    category(id: $id) {
      id name slug isActive createdAt version products(pageSize: 1) { meta { total } }
    }
  }
`);

const CreateCategory = graphql(`
  mutation CreateCategory($input: CreateCategoryInput!) {
    createCategory(input: $input) { id name version }
  }
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

const FIELDS = ["name", "slug", "isActive"] as const;

/** All categories, which the service sends at once; asked for again after half a minute, or after a change here. */
let all: { at: number; categories: Promise<Category[]> } | undefined;

/** @throws Failure */
function allCategories(): Promise<Category[]> {
  if (!all || Date.now() - all.at > 30_000) {
    const categories = request(CategoryList, {}).then((answer) => answer.categories);
    all = { at: Date.now(), categories };
    categories.catch(() => (all = undefined));
  }
  return all.categories;
}

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Categories that have the text in their name, letter case and accents ignored; at most `most`. */
export async function findCategories(text: string, most = 50): Promise<Named[]> {
  const part = folded(text.trim());
  const found = (await allCategories()).filter(({ name }) => folded(name).includes(part));
  return found.slice(0, most);
}

async function whole(id: number): Promise<WholeCategory | null> {
  return (await request(CategoryPage, { id })).category ?? null;
}

/** Changes fields of a category that still has the version. @throws Failure */
export async function changeCategory(
  id: number,
  input: UpdateCategoryInput,
  version: number,
): Promise<void> {
  all = undefined;
  await request(UpdateCategory, { id, input, version });
  all = undefined;
}

export const categories: Source<Category> = {
  list: async ({ page, pageSize, sort, filter }) => {
    const { search = "" } = filter as { search?: string };
    if (page === 1) all = undefined;
    const part = folded(search);
    const found = (await allCategories()).filter(({ name }) => folded(name).includes(part));
    const sign = sort.order === "ASC" ? 1 : -1;
    const key = sort.field === "createdAt" ? "createdAt" : "name";
    found.sort((one, other) => sign * one[key].localeCompare(other[key]));
    return { data: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
  },
  one: (id) => whole(Number(id)),
  create: async (input) => {
    const { createCategory } = await request(CreateCategory, { input: input as never });
    all = undefined;
    return createCategory as Category;
  },
  update: async (id, wanted, previous) => {
    const input = changesOf(wanted, previous, FIELDS);
    if (Object.keys(input).length > 0) await changeCategory(Number(id), input, previous.version);
    return (await whole(Number(id))) as WholeCategory;
  },
  remove: async (previous) => {
    await request(DeleteCategory, { id: previous.id, version: previous.version });
    all = undefined;
    return previous;
  },
};
