import { deletes } from "./deletes";
import { withPrices } from "./products";
import { history } from "./record";
import { onRows, type RowOperation } from "./row-operation";
import { switches } from "./switches";

/** All fields of a product that a row can show. */
export const WHOLE = `{
    id name slug description price isActive categoryId createdAt updatedAt version
    category { id name slug isActive createdAt }
  }`;

const read = `query Product($id: Int!) {
  product(id: $id) { id name slug description price isActive categoryId version }
}`;

const switched = (
  name: string,
  isActive: boolean,
) => `mutation ${name}($id: Int!, $expectedVersion: Int!) {
  setProductStatus(id: $id, expectedVersion: $expectedVersion, isActive: ${isActive}) ${WHOLE}
}`;

const label = ({ name }: { readonly name?: unknown }) => `“${String(name)}”`;

export const onProducts: readonly RowOperation[] = [
  onRows("Product", ["id", "name", "price", "version"], {
    label: "Change price",
    query: `mutation ChangePrice($id: Int!, $expectedVersion: Int!, $price: Decimal!) {
  updateProduct(id: $id, expectedVersion: $expectedVersion, input: { price: $price }) ${WHOLE}
}`,
    variables: ({ id, version, price }) => ({ id, expectedVersion: version, price }),
    does: {
      kind: "takes input",
      title: (row) => `Change the price of ${label(row)}`,
      verb: "Change price",
      hidden: ["id", "expectedVersion"],
      done: (product) => `${label(product)} costs ${String(product["price"])}`,
    },
  }),
  onRows("Product", ["id"], {
    label: "Edit",
    query: `mutation EditProduct($id: Int!, $expectedVersion: Int!, $input: UpdateProductInput!) {
  updateProduct(id: $id, expectedVersion: $expectedVersion, input: $input) ${WHOLE}
}`,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "takes input",
      title: ({ id }) => `Edit product ${id}`,
      verb: "Save",
      hidden: ["id", "expectedVersion"],
      loads: {
        query: read,
        variables: ({ id, version, name, slug, description, price, categoryId, isActive }) => ({
          id,
          expectedVersion: version,
          input: { name, slug, description, price, categoryId, isActive },
        }),
      },
      onlyChanges: "input",
      done: (product) => `${label(product)} is saved`,
    },
  }),
  ...switches("Product", switched, {
    off: "so that nobody can order it",
    on: "so that everybody can order it",
  }),
  onRows("Product", ["id"], {
    label: "Duplicate",
    query: `mutation DuplicateProduct($input: CreateProductInput!) {
  createProduct(input: $input) ${WHOLE}
}`,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "takes input",
      title: ({ id }) => `New product, like product ${id}`,
      verb: "Create product",
      loads: {
        query: read,
        variables: ({ name, description, price, categoryId }) => ({
          input: { name: `${name} (copy)`, description, price, categoryId, isActive: false },
        }),
      },
      done: (product) => `${label(product)} is created as product ${String(product["id"])}`,
    },
  }),
  onRows("Product", ["id"], {
    label: "Its prices",
    query: withPrices.query,
    variables: ({ id }) => ({ id }),
    does: { kind: "opens" },
  }),
  history("Product", "PRODUCT"),
  deletes("Product"),
];
