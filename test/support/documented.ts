import { messageOf } from "../../src/vocabulary/errors";
import { expectReasons } from "./reasons";
import { answerOf, expectValid, operationOf, responseAt, type DocumentedAnswer } from "./openapi";

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
 * Throws if an answer is not as the OpenAPI document says, with its status, headers and body. What no operation
 * of the document answers must be refused as the document refuses, or be the answer to a preflight. Files of
 * the pages are not checked: they are no part of the document.
 */
export function expectDocumented(exchange: Exchange): void {
  const { method, path: sent, status } = exchange;
  const operation = operationOf(method, sent);
  if (!operation && FILES.test(sent)) return;
  try {
    const answer = operation ? answerOf(...operation, status) : answerBeside(exchange);
    if (!answer) throw new Error("the status is not documented");
    expectHeaders(answer, exchange);
    expectBody(answer, exchange);
  } catch (error) {
    const name = `${method} ${sent} ${status}`;
    throw new Error(`${name} is not as openapi.json says: ${messageOf(error)}`, { cause: error });
  }
}

/** Where the files of the pages are. */
const FILES = /^\/(docs|explorer)\/assets\//i;

/** The refusals of what no operation answers. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  404: "NotFound",
  408: "RequestTimeout",
  413: "PayloadTooLarge",
  417: "ExpectationFailed",
  431: "RequestHeaderFieldsTooLarge",
};

/** The headers of the answer to a preflight, by the schemas of headers of the same form. */
const PREFLIGHT = {
  "access-control-allow-methods": "/x-headers-of-every-answer/Access-Control-Expose-Headers/schema",
  "access-control-allow-headers": "/x-headers-of-every-answer/Access-Control-Expose-Headers/schema",
  "access-control-max-age": "/components/headers/Retry-After/schema",
};

/** What must be answered where the document has no operation; undefined if nothing has the status. */
function answerBeside({ method, path, status }: Exchange): DocumentedAnswer | undefined {
  // GraphQL answers all other methods itself, as it answers a mutation by GET.
  const [template] = operationOf("GET", path) ?? [];
  if (template === "/graphql" && method !== "OPTIONS") return answerOf(template, "get", status);
  const name = REFUSALS[status];
  const refused = responseAt(`/components/responses/${name ?? "NotFound"}`);
  if (method === "OPTIONS" && status === 204) {
    const preflight = Object.entries(PREFLIGHT).map(
      ([header, pointer]) => [header, { pointer, required: true }] as const,
    );
    return { schemas: undefined, headers: new Map([...refused.headers, ...preflight]) };
  }
  if (name === undefined) return undefined;
  // Below some paths everything is kept out of caches, also what is not there.
  const noStore = { pointer: "/components/headers/No-Store/schema", required: false };
  return { ...refused, headers: new Map([...refused.headers, ["cache-control", noStore]]) };
}

function expectBody(
  { schemas }: DocumentedAnswer,
  { method, path, headers, text }: Exchange,
): void {
  if (method === "HEAD" || !schemas) {
    if (text !== "") throw new Error("a body is not documented");
    return;
  }
  const [type = ""] = String(headers["content-type"]).split(";", 1);
  const schema = schemas.get(type);
  if (schema === undefined) throw new Error(`the content type ${type} is not documented`);
  const body: unknown = type.endsWith("json") ? JSON.parse(text) : text;
  expectValid(schema, body);
  if (path.startsWith("/graphql")) expectReasons(body);
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
