import type { ApolloServerPlugin, GraphQLRequest } from "@apollo/server";
import type { GraphQLError } from "graphql";
import type { Context } from "../../context";

/**
 * Looks at the document of a request before it is parsed, and may change the request.
 *
 * @returns why the document is refused, if it is
 */
export type DocumentCheck = (
  request: GraphQLRequest,
  context: Context,
) => Promise<GraphQLError | undefined> | GraphQLError | undefined;

const refusedRequests = new WeakSet<GraphQLRequest>();

/** Whether the document of a request was refused, so that its operation is not that of the request. */
export const isDocumentRefused = (request: GraphQLRequest): boolean => refusedRequests.has(request);

/**
 * Runs checks on documents, one after another, before they are parsed. Apollo lets plugins refuse a document
 * only after it was parsed and found valid, so the plugin first replaces it with a valid one.
 */
export const documentPlugin = (checks: readonly DocumentCheck[]): ApolloServerPlugin<Context> => ({
  requestDidStart: async ({ request, contextValue }) => {
    for (const check of checks) {
      const refusal = await check(request, contextValue);
      if (refusal) {
        request.query = "{ __typename }";
        refusedRequests.add(request);
        return { didResolveOperation: () => Promise.reject(refusal) };
      }
    }
    return undefined;
  },
});
