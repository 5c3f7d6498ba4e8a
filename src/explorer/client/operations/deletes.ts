import { onRows, type RowOperation } from "./row-operation";

/** The operation that deletes the object of a row. */
export const deletes = (type: "Category" | "Product"): RowOperation =>
  onRows(type, ["id"], {
    label: "Delete",
    query: `mutation Delete${type}($id: Int!) {
  delete${type}(id: $id) { id }
}`,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "asks",
      question: (things) => `Delete ${things}?`,
      several: (count) => `Delete ${count}`,
      done: "deleted",
      isFinal: true,
      deletes: true,
    },
  });
