import type { Group } from "./prepared";
import { BY_NAME, productList } from "./product-list";
import { deletes } from "./deletes";
import { history } from "./record";
import { onRows, type RowOperation } from "./row-operation";
import { switches } from "./switches";

export const categories: Group = {
  label: "Categories",
  operations: [
    {
      label: "Categories",
      query: `query Categories($filter: CategoryFilter) {
  categories(filter: $filter) {
    id
    name
    slug
    isActive
    createdAt
    version
  }
}`,
      variables: () => ({ filter: {} }),
    },
    {
      label: "New category",
      query: `mutation NewCategory($input: CreateCategoryInput!) {
  createCategory(input: $input) {
    id
    name
    slug
    isActive
    version
  }
}`,
      variables: () => ({ input: {} }),
      created: ({ id, name }) => `“${String(name)}” is created as category ${String(id)}`,
    },
  ],
};

const updated = (
  name: string,
  input: string,
  more = "",
) => `mutation ${name}($id: Int!, $expectedVersion: Int!${more}) {
  updateCategory(id: $id, expectedVersion: $expectedVersion, input: ${input}) {
    id name slug isActive createdAt version
  }
}`;

const switched = (name: string, isActive: boolean) => updated(name, `{ isActive: ${isActive} }`);

export const onCategories: readonly RowOperation[] = [
  onRows("Category", ["id"], {
    label: "Products",
    query: productList("ProductsOfCategory", "$categoryId: Int!", "{ categoryId: $categoryId }"),
    variables: ({ id }) => ({ categoryId: id, sort: BY_NAME }),
    does: { kind: "opens" },
  }),
  onRows("Category", ["id"], {
    label: "Edit",
    query: updated("EditCategory", "$input", ", $input: UpdateCategoryInput!"),
    variables: ({ id }) => ({ id }),
    does: {
      kind: "takes input",
      title: ({ id }) => `Edit category ${id}`,
      verb: "Save",
      hidden: ["id", "expectedVersion"],
      loads: {
        query: "query Category($id: Int!) { category(id: $id) { id name slug isActive version } }",
        variables: ({ id, version, name, slug, isActive }) => ({
          id,
          expectedVersion: version,
          input: { name, slug, isActive },
        }),
      },
      onlyChanges: "input",
      done: ({ name }) => `“${String(name)}” is saved`,
    },
  }),
  ...switches("Category", switched, {
    off: "so that shops don't show it",
    on: "so that shops show it",
  }),
  history("Category", "CATEGORY"),
  deletes("Category"),
];
