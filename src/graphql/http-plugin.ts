import type { ApolloServerPlugin } from "@apollo/server";
import type { Context } from "./context";

/** Most errors in one answer, however many faults a document has. */
export const MAX_ERRORS = 10;

/** Whether a client wants errors to have statuses of their own. */
export const wantsStatuses = (accept = ""): boolean =>
  accept.includes("application/graphql-response+json");

/**
 * Sets the statuses that the specification "GraphQL over HTTP" asks for, and cuts the list of errors. Under
 * `application/json`, every request that was understood as GraphQL is answered 200, even with errors; only
 * `application/graphql-response+json` has other statuses. A request without a document was not understood,
 * and a mutation by GET stays 405.
 */
export const httpPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response }) => {
        const hasStatuses = wantsStatuses(request.http?.headers.get("accept"));
        const isUnderstood = Boolean(request.query) && response.http.status !== 405;
        if (isUnderstood && !hasStatuses) response.http.status = 200;
        if (response.body.kind === "single") {
          const { singleResult } = response.body;
          if (singleResult.errors) singleResult.errors = singleResult.errors.slice(0, MAX_ERRORS);
        }
        return Promise.resolve();
      },
    }),
};
