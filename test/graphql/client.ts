import type { Reason } from "../../src/vocabulary/reasons";
import type { TestApp } from "../support/app";
import { sendJson, type Answer } from "../support/raw-http";

/** One error of a GraphQL answer. */
export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly object[];
  readonly extensions: {
    readonly code: string;
    readonly http: {
      readonly statusCode: number;
      readonly message: string | string[];
      readonly error: string;
      readonly retryAfter?: number;
    };
    readonly reasons?: readonly Reason[];
  };
}

/** The body of a GraphQL answer; the assertions find out what it holds. */
export interface GraphqlBody<Data = unknown> {
  readonly data?: Data;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly cost?: object };
}

/** A GraphQL answer over HTTP. */
export interface GraphqlAnswer extends Answer {
  readonly body: GraphqlBody;
}

/** An operation with its variables. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: object | undefined;
  readonly extensions?: object;
  readonly operationName?: string;
}

/** Sends an operation, under an `Authorization` value if one is given. */
export async function execute(
  { url }: TestApp,
  request: GraphqlRequest,
  authorization?: string,
): Promise<GraphqlAnswer> {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await sendJson(url, "POST", "/graphql", JSON.stringify(request), headers);
  return { ...answer, body: answer.body as GraphqlBody };
}

/** The data of an operation that succeeds, as an administrator. */
export async function dataOf<Data = unknown>(
  app: TestApp,
  query: string,
  variables?: object,
): Promise<Data> {
  const { body } = await execute(app, { query, variables }, app.asAdmin);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data as Data;
}

/** The code of an operation that is refused as a whole, and what REST would answer, as an administrator. */
export async function refusalOf(
  app: TestApp,
  query: string,
  variables?: object,
): Promise<GraphqlError["extensions"]> {
  const { body } = await execute(app, { query, variables }, app.asAdmin);
  const [error, ...others] = body.errors ?? [];
  if (!error || others.length > 0) throw new Error(JSON.stringify(body));
  return error.extensions;
}
