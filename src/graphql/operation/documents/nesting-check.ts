import { invalidInput } from "../../../vocabulary/errors";
import { outOfRange } from "../../../vocabulary/reasons";
import { graphqlRefusal } from "../../graphql-refusal";
import type { DocumentCheck } from "./document-plugin";
import { isNestedBeyond } from "./nesting";

/**
 * Deepest nesting of brackets, braces and parentheses in a document. 12 levels of fields with their arguments
 * need about 30 levels; the parser's stack overflows beyond 1,500.
 */
const MAX_NESTING = 200;

/** Refuses documents that are nested too deeply to be parsed. */
export const nestingCheck =
  (maxTokens: number): DocumentCheck =>
  ({ query }) => {
    if (!query || !isNestedBeyond(query, { levels: MAX_NESTING, tokens: maxTokens }))
      return undefined;
    const message = `The document's brackets are nested deeper than ${MAX_NESTING} levels`;
    return graphqlRefusal(invalidInput([outOfRange(message, { min: 0, max: MAX_NESTING })]));
  };
