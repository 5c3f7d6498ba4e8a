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

/** Headers that HTTP itself needs to deliver an answer. */
const HTTP_HEADERS = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * Throws if the status, the headers or the body of an answer are not as the OpenAPI document says. A request to which
 * no operation of the document fits must be refused with one of the document's refusals, or be a preflight. Files of
 * the HTML pages are not checked: they are not in the document.
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
    throw new Error(`${name} is not as openapi.yaml says: ${messageOf(error)}`, { cause: error });
  }
}

/** The paths of the files of the HTML pages, and of the administrators' app. */
const FILES = /^\/((docs|explorer)\/assets\/|admin(\/|$))/i;

/** The refusals of requests to which no operation fits. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  404: "NotFound",
  408: "RequestTimeout",
  413: "PayloadTooLarge",
  417: "ExpectationFailed",
  431: "RequestHeaderFieldsTooLarge",
};

/** The headers of the answer to an allowed preflight, with the schemas of other headers of the same form. */
const PREFLIGHT = {
  "access-control-allow-methods": "/x-headers-of-every-answer/Access-Control-Expose-Headers/schema",
  "access-control-allow-headers": "/x-headers-of-every-answer/Access-Control-Expose-Headers/schema",
  "access-control-max-age": "/components/headers/Retry-After/schema",
};

/** The right answer to a request without an operation; undefined if no such answer has this status. */
function answerBeside({ method, path, status, headers }: Exchange): DocumentedAnswer | undefined {
  // GraphQL answers all other methods itself, as it answers a mutation by GET.
  const [template] = operationOf("GET", path) ?? [];
  if (template === "/graphql" && method !== "OPTIONS") return answerOf(template, "get", status);
  const name = REFUSALS[status];
  const refused = responseAt(`/components/responses/${name ?? "NotFound"}`);
  if (method === "OPTIONS" && status === 204) {
    const isAllowed = headers["access-control-allow-origin"] !== undefined;
    const preflight = Object.entries(isAllowed ? PREFLIGHT : {}).map(
      ([header, pointer]) => [header, { pointer, required: true }] as const,
    );
    return { schemas: undefined, headers: new Map([...refused.headers, ...preflight]) };
  }
  if (name === undefined) return undefined;
  // Below some paths, no answer may be cached, not even a 404.
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
