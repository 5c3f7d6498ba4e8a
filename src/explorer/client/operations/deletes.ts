import { onRows, type RowOperation } from "./row-operation";

/** The operation that deletes the object of a row. */
export const deletes = (type: "Category" | "Product"): RowOperation =>
  onRows(type, ["id", "version"], {
    label: "Delete",
    query: `mutation Delete${type}($id: Int!, $expectedVersion: Int!) {
  delete${type}(id: $id, expectedVersion: $expectedVersion) { id }
}`,
    variables: ({ id, version }) => ({ id, expectedVersion: version }),
    does: {
      kind: "asks",
      question: (things) => `Delete ${things}?`,
      several: (count) => `Delete ${count}`,
      done: "deleted",
      isFinal: true,
      deletes: true,
    },
  });
