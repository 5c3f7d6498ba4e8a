import { GraphQLError } from "graphql";

/**
 * Refuses a request before anything of it runs. The status is sent under
 * `application/graphql-response+json` only.
 */
export const refused = (cause: Error | undefined, extensions = {}, status = 400): GraphQLError =>
  new GraphQLError(cause?.message ?? "Refused", {
    ...(cause && { originalError: cause }),
    extensions: { ...extensions, http: { status } },
  });
