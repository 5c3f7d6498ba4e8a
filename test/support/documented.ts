import { messageOf } from "../../src/errors";
import { answerOf, expectValid, operationOf, type DocumentedAnswer } from "./openapi";

/** An answer, and the request that got it. */
export interface Exchange {
  readonly method: string;
  /** The path as it was sent, with or without a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** What HTTP itself needs to deliver an answer. */
const HTTP_HEADERS = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * Throws if an answer is not as the OpenAPI document says, with its status, headers and body. Requests that
 * no operation of the document answers are not checked.
 */
export function expectDocumented(exchange: Exchange): void {
  const { method, path: sent, status } = exchange;
  const operation = operationOf(method, sent);
  if (!operation) return;
  try {
    const answer = answerOf(...operation, status);
    if (!answer) throw new Error("the status is not documented");
    expectHeaders(answer, exchange);
    expectBody(answer, exchange);
  } catch (error) {
    const name = `${method} ${sent} ${status}`;
    throw new Error(`${name} is not as openapi.json says: ${messageOf(error)}`, { cause: error });
  }
}

function expectBody({ schemas }: DocumentedAnswer, { method, headers, text }: Exchange): void {
  if (method === "HEAD" || !schemas) {
    if (text !== "") throw new Error("a body is not documented");
    return;
  }
  const [type = ""] = String(headers["content-type"]).split(";", 1);
  const schema = schemas.get(type);
  if (schema === undefined) throw new Error(`the content type ${type} is not documented`);
  expectValid(schema, type.endsWith("json") ? JSON.parse(text) : text);
}

function expectHeaders({ headers }: DocumentedAnswer, { headers: received }: Exchange): void {
  for (const name of Object.keys(received)) {
    if (!headers.has(name) && !HTTP_HEADERS.has(name)) {
      throw new Error(`the header ${name} is not documented`);
    }
  }
  for (const [name, { pointer, required }] of headers) {
    const value = received[name];
    if (value !== undefined) expectHeader(name, pointer, value);
    else if (required) throw new Error(`the header ${name} is missing`);
  }
}

function expectHeader(name: string, pointer: string, value: unknown): void {
  try {
    expectValid(pointer, value);
  } catch (error) {
    const reason = `${String(value)}: ${messageOf(error)}`;
    throw new Error(`the header ${name} is malformed: ${reason}`, { cause: error });
  }
}
