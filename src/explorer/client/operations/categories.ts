import type { Group } from "./prepared";
import { BY_NAME, productList } from "./product-list";
import { deletes } from "./deletes";
import { onRows, type RowOperation } from "./row-operation";

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
  }
}`,
      variables: () => ({ input: {} }),
      created: ({ id, name }) => `“${String(name)}” is created as category ${String(id)}`,
    },
  ],
};

const updated = (
  name: string,
  variables: string,
  input: string,
) => `mutation ${name}(${variables}) {
  updateCategory(id: $id, input: ${input}) { id name slug isActive createdAt }
}`;

const switched = (name: string, isActive: boolean) =>
  updated(name, "$id: Int!", `{ isActive: ${isActive} }`);

export const onCategories: readonly RowOperation[] = [
  onRows("Category", ["id"], {
    label: "Products",
    query: productList("ProductsOfCategory", "$categoryId: Int!", "{ categoryId: $categoryId }"),
    variables: ({ id }) => ({ categoryId: id, sort: BY_NAME }),
    does: { kind: "opens" },
  }),
  onRows("Category", ["id"], {
    label: "Edit",
    query: updated("EditCategory", "$id: Int!, $input: UpdateCategoryInput!", "$input"),
    variables: ({ id }) => ({ id }),
    does: {
      kind: "takes input",
      title: ({ id }) => `Edit category ${id}`,
      verb: "Save",
      hidden: ["id"],
      loads: {
        query: "query Category($id: Int!) { category(id: $id) { id name slug isActive } }",
        variables: ({ id, name, slug, isActive }) => ({ id, input: { name, slug, isActive } }),
      },
      onlyChanges: "input",
      done: ({ name }) => `“${String(name)}” is saved`,
    },
  }),
  onRows("Category", ["id", "isActive"], {
    label: "Switch off",
    query: switched("SwitchCategoryOff", false),
    when: ({ isActive }) => isActive,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "asks",
      question: (things) => `Switch off ${things}, so that shops don't show it?`,
      several: (count) => `Switch ${count} off`,
      done: "switched off",
    },
  }),
  onRows("Category", ["id", "isActive"], {
    label: "Switch on",
    query: switched("SwitchCategoryOn", true),
    when: ({ isActive }) => !isActive,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "asks",
      question: (things) => `Switch on ${things}, so that shops show it?`,
      several: (count) => `Switch ${count} on`,
      done: "switched on",
    },
  }),
  deletes("Category"),
];
