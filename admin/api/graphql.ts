import type { graphql as typed } from "./generated";
import type { TypedDocumentString } from "./generated/graphql";

/** A document with the types of its result and its variables. */
export type Document<Result, Variables> = TypedDocumentString<Result, Variables>;

/** Names a document of the app. It is sent to the letter; its types are generated from schema.graphql. */
export const graphql = ((text: string): unknown => text) as typeof typed;
