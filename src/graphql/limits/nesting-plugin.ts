import type { ApolloServerPlugin } from "@apollo/server";
import { invalidInput } from "../../errors";
import type { Context } from "../context";
import { isNestedBeyond } from "./nesting";
import { refused } from "../refused";

/**
 * Deepest nesting of brackets, braces and parentheses in a document. 12 levels of fields with their arguments
 * need about 30 levels; the parser's stack overflows beyond 1,500.
 */
const MAX_NESTING = 200;

/**
 * Refuses documents that are nested too deeply before they are parsed. Apollo lets plugins refuse a document
 * only after it was parsed and found valid, so the plugin first replaces it with a valid one.
 */
export const nestingPlugin = (maxTokens: number): ApolloServerPlugin<Context> => ({
  requestDidStart: ({ request }) => {
    const bounds = { levels: MAX_NESTING, tokens: maxTokens };
    if (!isNestedBeyond(request.query ?? "", bounds)) return Promise.resolve();
    request.query = "{ __typename }";
    const fault = `The document's brackets are nested deeper than ${MAX_NESTING} levels`;
    return Promise.resolve({
      didResolveOperation: () => Promise.reject(refused(invalidInput([fault]))),
    });
  },
});
