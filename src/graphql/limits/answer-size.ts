import type { ApolloServerOptions, ApolloServerPlugin } from "@apollo/server";
import { invalidInput } from "../../vocabulary/errors";
import type { Context } from "../context";
import { MAX_ERRORS } from "../http-plugin";
import { isLongerAsJson } from "./json-length";
import { graphqlRefusal } from "../graphql-refusal";

/** Bytes of the line feed that Apollo sends after the JSON. */
const LINE_END = 1;

export type ErrorFormat = NonNullable<ApolloServerOptions<Context>["formatError"]>;

/**
 * Refuses answers of more than `maxBytes` before they are serialized. The weight limit, which is checked
 * before execution, assumes texts of a typical length; stored texts may be longer. A refusal does not undo
 * what a mutation has changed.
 */
export const answerPlugin = (
  maxBytes: number,
  formatError: ErrorFormat,
): ApolloServerPlugin<Context> => ({
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ response }) => {
        if (response.body.kind !== "single") return Promise.resolve();
        const { errors, ...rest } = response.body.singleResult;
        const sent = { ...rest, ...(errors && { errors: errors.slice(0, MAX_ERRORS) }) };
        if (isLongerAsJson(sent, maxBytes - LINE_END)) {
          const refusal = graphqlRefusal(
            invalidInput([`The answer would exceed ${maxBytes} bytes`]),
          );
          response.body.singleResult = { errors: [formatError(refusal.toJSON(), refusal)] };
          response.http.status = 400;
        }
        return Promise.resolve();
      },
    }),
});
