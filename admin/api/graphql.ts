import type { graphql as typed } from "./generated";

/** Names a document of the app. It is sent to the letter; its types are generated from schema.graphql. */
export const graphql = ((text: string): unknown => text) as typeof typed;
