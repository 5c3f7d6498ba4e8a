import { GraphQLError } from "graphql";

/** Refuses a request before anything of it runs. Under `application/graphql-response+json` the status is 400. */
export const graphqlRefusal = (cause: Error | undefined, extensions = {}): GraphQLError =>
  new GraphQLError(cause?.message ?? "Refused", {
    ...(cause && { originalError: cause }),
    extensions: { ...extensions, http: { status: 400 } },
  });
