import type { TestApp } from "../support/app";
import type { Door } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { extensionsOf } from "../support/refusals";
import { execute } from "../graphql/client";
import { operations, type Input, type Operation, type OperationName } from "./operations";

/** What both doors say in common: a value, or REST's error body. */
export type Outcome =
  | { readonly ok: unknown }
  | {
      readonly error: {
        readonly statusCode: number;
        readonly message: string | readonly string[];
        readonly error: string;
        /** Seconds, from REST's header or GraphQL's error. */
        readonly retryAfter?: number;
      };
    };

/** A call of an operation, under an `Authorization` value if there is one. */
export interface Call {
  readonly operation: OperationName;
  readonly input: Input;
  readonly authorization: string | undefined;
}

/** Sends a call through one door. */
export const through: Record<Door, (app: TestApp, call: Call) => Promise<Outcome>> = {
  REST: callRest,
  GraphQL: callGraphql,
};

async function callRest({ url }: TestApp, call: Call): Promise<Outcome> {
  const { rest }: Operation = operations[call.operation];
  const { id, body, query = {}, guards = {} } = call.input;
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { idempotencyKey, expectedTotal } = guards;
  const headers = present({
    authorization: call.authorization,
    "idempotency-key": idempotencyKey,
    "expected-total": expectedTotal,
  });
  const path = `${rest.path(id)}?${parameters.toString()}`;
  const answer = body
    ? await sendJson(url, rest.method, path, JSON.stringify(body), headers)
    : await send(url, { method: rest.method, path, headers });
  if (answer.status < 300) {
    return { ok: rest.present ? rest.present(answer.body as never) : answer.body };
  }
  const error = answer.body as Extract<Outcome, { error: object }>["error"];
  expect(error.statusCode).toBe(answer.status);
  const retryAfter = answer.headers["retry-after"];
  return {
    error: { ...error, ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }) },
  };
}

/** The headers that are set. */
const present = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

async function callGraphql(app: TestApp, call: Call): Promise<Outcome> {
  const { graphql }: Operation = operations[call.operation];
  const { id, body, query } = call.input;
  const variables = graphql.variables?.(call.input) ?? { id, body, ...query };
  const request = { query: graphql.document, variables };
  const answer = await execute(app, request, call.authorization);
  expect(answer.status).toBe(200);
  const { data, errors } = answer.body;
  if (!errors) return { ok: graphql.present(data as never) };
  const [error, ...others] = errors;
  // A nullable field alone is null, any other takes all data with it.
  expect([others, Object.values(data ?? {}).filter((each) => each !== null)]).toEqual([[], []]);
  const http = error!.extensions.http;
  expect(error!.extensions).toEqual({ ...extensionsOf(http.statusCode), http });
  expect(error!.message).toBe([http.message].flat().join("; "));
  return { error: http };
}
