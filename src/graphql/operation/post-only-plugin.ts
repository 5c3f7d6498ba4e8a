import { HeaderMap, type ApolloServerPlugin } from "@apollo/server";
import { GraphQLError } from "graphql";
import type { Context } from "../context";
import { summaryOf } from "./summary";

/**
 * Refuses queries that take a secret by GET, as Apollo refuses mutations: browsers, proxies and their logs keep
 * URLs.
 */
export const postOnlyPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ request, operation, document }) => {
        if (!operation || request.http?.method === "POST") return Promise.resolve();
        const { secretField } = summaryOf(operation, document);
        if (secretField === undefined) return Promise.resolve();
        throw new GraphQLError(
          `${secretField} is answered by POST alone: its input must not be in a URL`,
          {
            extensions: {
              code: "BAD_REQUEST",
              http: { status: 405, headers: new HeaderMap([["allow", "POST"]]) },
            },
          },
        );
      },
    }),
};
