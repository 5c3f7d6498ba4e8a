import { onRows, type RowOperation } from "./row-operation";

/**
 * The operations that switch the object of a row off and on.
 *
 * @param mutation the document, by its name
 * @param effects what follows, such as "so that nobody can order it"
 */
export const switches = (
  type: "Category" | "Product" | "WebhookEndpoint",
  mutation: (name: string, isActive: boolean) => string,
  effects: { readonly off: string; readonly on: string },
): readonly RowOperation[] =>
  (["off", "on"] as const).map((to) =>
    onRows(type, ["id", "isActive", "version"], {
      label: `Switch ${to}`,
      query: mutation(`Switch${type}${to === "on" ? "On" : "Off"}`, to === "on"),
      when: ({ isActive }) => isActive === (to === "off"),
      variables: ({ id, version }) => ({ id, expectedVersion: version }),
      does: {
        kind: "asks",
        question: (things) => `Switch ${to} ${things}, ${effects[to]}?`,
        several: (count) => `Switch ${count} ${to}`,
        done: `switched ${to}`,
        sets: { isActive: to === "on" },
      },
    }),
  );
