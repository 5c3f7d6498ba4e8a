import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import { messageOf } from "../../src/errors";

/** An answer, and the request that got it. */
export interface Exchange {
  readonly method: string;
  /** The path as it was sent, with or without a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface Header {
  readonly required: boolean;
}

interface Reference {
  readonly $ref: string;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly "x-headers-of-every-answer": Readonly<Record<string, Header>>;
}

const FILE = path.join(__dirname, "../../openapi.json");

/** What HTTP itself needs to deliver an answer. */
const HTTP_HEADERS = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** The service's OpenAPI document, as it is committed. */
export const openapi = JSON.parse(readFileSync(FILE, "utf8")) as Document;

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  formats: { "date-time": true, email: true, password: true },
});
ajv.addVocabulary(Object.keys(openapi)); // the document is no schema, but it holds all of them
ajv.addSchema(openapi, "openapi.json", false, false);

const validators = new Map<string, ValidateFunction>();

/** Throws if a value is not valid under the schema at this pointer of the document. */
export function expectValid(pointer: string, value: unknown): void {
  let validator = validators.get(pointer);
  if (!validator) {
    validator = ajv.compile({ $ref: `openapi.json#${pointer}` });
    validators.set(pointer, validator);
  }
  if (!validator(value)) throw new Error(ajv.errorsText(validator.errors));
}

/** The document's path and method of a request; undefined if it has no such operation. */
function operationOf(
  method: string,
  sent: string,
): readonly [path: string, method: string] | undefined {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  const segments = segmentsOf(sent.replace(/\?.*/s, ""));
  const matching = Object.keys(openapi.paths).filter((each) => {
    const documented = segmentsOf(each);
    return (
      openapi.paths[each]?.[name] &&
      documented.length === segments.length &&
      documented.every(
        (part, at) => part === segments[at] || (part.startsWith("{") && segments[at]),
      )
    );
  });
  const [found] = matching.sort((one, other) => variables(one) - variables(other));
  return found === undefined ? undefined : [found, name];
}

const variables = (template: string): number => template.split("{").length;

const segmentsOf = (text: string): string[] =>
  text
    .replace(/\/$/, "")
    .split("/")
    .map((part) => (part.startsWith("{") ? part : decoded(part).toLowerCase()));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Throws if an answer is not as the OpenAPI document says, with its status, headers and body. Requests that
 * no operation of the document answers are not checked.
 */
export function expectDocumented(exchange: Exchange): void {
  const { method, path: sent, status } = exchange;
  const operation = operationOf(method, sent);
  if (!operation) return;
  try {
    expectResponse(exchange, operation);
  } catch (error) {
    const answer = `${method} ${sent} ${status}`;
    throw new Error(`${answer} is not as openapi.json says: ${messageOf(error)}`, { cause: error });
  }
}

function expectResponse(exchange: Exchange, [template, method]: readonly [string, string]): void {
  const { status, text, headers } = exchange;
  const found = openapi.paths[template]![method]!.responses[status];
  if (!found) throw new Error("the status is not documented");
  const pointer =
    "$ref" in found
      ? found.$ref.slice(1)
      : `/paths/${escaped(template)}/${method}/responses/${status}`;
  const response = at(pointer) as ResponseObject;
  expectHeaders(response, headers);
  if (exchange.method === "HEAD" || !response.content) {
    if (text !== "") throw new Error("a body is not documented");
    return;
  }
  const type = String(headers["content-type"]).replace(/;.*/, "");
  if (!(type in response.content)) throw new Error(`the content type ${type} is not documented`);
  const value: unknown = type.endsWith("json") ? JSON.parse(text) : text;
  expectValid(`${pointer}/content/${escaped(type)}/schema`, value);
}

function expectHeaders(response: ResponseObject, received: Exchange["headers"]): void {
  const everyAnswer = Object.keys(openapi["x-headers-of-every-answer"]).map((name) => [
    name.toLowerCase(),
    `/x-headers-of-every-answer/${name}`,
  ]);
  const own = Object.entries(response.headers ?? {}).map(([name, { $ref }]) => [
    name.toLowerCase(),
    $ref.slice(1),
  ]);
  const documented = new Map<string, string>([...everyAnswer, ...own] as [string, string][]);
  for (const name of Object.keys(received)) {
    if (!documented.has(name) && !HTTP_HEADERS.has(name)) {
      throw new Error(`the header ${name} is not documented`);
    }
  }
  for (const [name, pointer] of documented) {
    const value = received[name];
    if (value !== undefined) expectHeader(name, `${pointer}/schema`, value);
    else if ((at(pointer) as Header).required) throw new Error(`the header ${name} is missing`);
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

const escaped = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");

/** What is at a JSON pointer of the document. */
function at(pointer: string): unknown {
  const tokens = pointer.slice(1).split("/");
  return tokens
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, token) => (value as Record<string, unknown>)[token], openapi);
}
