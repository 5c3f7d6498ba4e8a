import { GraphQLError } from "graphql";

/** A refusal before anything runs, which `application/graphql-response+json` answers 400. */
export const refused = (cause: Error | undefined, extensions = {}): GraphQLError =>
  new GraphQLError(cause?.message ?? "Refused", {
    ...(cause && { originalError: cause }),
    extensions: { ...extensions, http: { status: 400 } },
  });
