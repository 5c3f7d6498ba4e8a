import { HeaderMap, type ApolloServerPlugin } from "@apollo/server";
import { GraphQLError } from "graphql";
import { operations } from "../../services/operations";
import type { Context } from "../context";
import { rootFieldsOf } from "./root-fields";

/** Fields whose arguments are secrets. */
const secretive: ReadonlySet<string> = new Set(
  Object.entries(operations).flatMap(([name, { takesSecret }]) => (takesSecret ? name : [])),
);

/**
 * Refuses queries that take a secret by GET, as Apollo refuses mutations: browsers, proxies and their logs keep
 * URLs.
 */
export const postOnlyPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ request, operation, document }) => {
        if (!operation || request.http?.method === "POST") return Promise.resolve();
        const [field] = [...rootFieldsOf(operation, document)].filter((name) =>
          secretive.has(name),
        );
        if (field === undefined) return Promise.resolve();
        throw new GraphQLError(
          `${field} is answered by POST alone: its input must not be in a URL`,
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
