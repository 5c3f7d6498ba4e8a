import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";

interface Reference {
  readonly $ref: string;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

interface Header {
  readonly required: boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> };
  readonly "x-headers-of-every-answer": Readonly<Record<string, Header | Reference>>;
}

/** The OpenAPI document of the service, as it is built and served. */
export const openapi = JSON.parse(
  readFileSync(path.join(__dirname, "../../dist/openapi.json"), "utf8"),
) as Document;

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  formats: { "date-time": true, email: true, password: true },
});
ajv.addVocabulary(Object.keys(openapi)); // the document is not a schema itself, but contains them all
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

const isId = (part: string): boolean => part.startsWith("{");

/** The paths of the document, those without parameters first. */
const templates = Object.keys(openapi.paths)
  .map((template) => ({ template, segments: segmentsOf(template) }))
  .sort((one, other) => one.template.split("{").length - other.template.split("{").length);

/** The operation that answers a request; undefined if the document has none. */
export function operationOf(
  method: string,
  sent: string,
): readonly [template: string, method: string] | undefined {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  const [pathname = ""] = sent.replace(/^https?:\/\/[^/]*/i, "").split("?", 1);
  const segments = segmentsOf(pathname);
  const found = templates.find(
    (each) =>
      openapi.paths[each.template]?.[name] &&
      each.segments.length === segments.length &&
      each.segments.every((part, at) => part === segments[at] || (isId(part) && segments[at])),
  );
  return found && [found.template, name];
}

/** The segments of a path as the router compares them: case, percent-encoding and a trailing slash don't count. */
function segmentsOf(text: string): string[] {
  const segments = text.split("/").map((part) => (isId(part) ? part : decoded(part).toLowerCase()));
  return segments.length > 1 && segments.at(-1) === "" ? segments.slice(0, -1) : segments;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One answer of an operation, as the document describes it. */
export interface DocumentedAnswer {
  /** The pointers of the schemas of its body by media type; undefined if it has none. */
  readonly schemas: ReadonlyMap<string, string> | undefined;
  /** The headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, { readonly pointer: string; readonly required: boolean }>;
}

const answers = new Map<string, DocumentedAnswer | undefined>();

/** The document's description of an answer with this status; undefined if there is none. */
export function answerOf(
  template: string,
  method: string,
  status: number,
): DocumentedAnswer | undefined {
  const key = `${method} ${template} ${status}`;
  if (!answers.has(key)) answers.set(key, readAnswer(template, method, status));
  return answers.get(key);
}

function readAnswer(
  template: string,
  method: string,
  status: number,
): DocumentedAnswer | undefined {
  const found = openapi.paths[template]?.[method]?.responses[status];
  if (!found) return undefined;
  const own = `/paths/${escaped(template)}/${method}/responses/${status}`;
  return responseAt("$ref" in found ? found.$ref.slice(1) : own);
}

/** The document's description of an answer, by the pointer to it. */
export function responseAt(pointer: string): DocumentedAnswer {
  const { headers = {}, content } = at(pointer) as ResponseObject;
  const pointers = [
    ...Object.entries(openapi["x-headers-of-every-answer"]).map(
      ([name, header]): [string, string] => [
        name,
        "$ref" in header ? header.$ref.slice(1) : `/x-headers-of-every-answer/${name}`,
      ],
    ),
    ...Object.entries(headers).map(([name, { $ref }]): [string, string] => [name, $ref.slice(1)]),
  ];
  const schemas = Object.keys(content ?? {}).map((type): [string, string] => [
    type,
    `${pointer}/content/${escaped(type)}/schema`,
  ]);
  return {
    schemas: content && new Map(schemas),
    headers: new Map(
      pointers.map(([name, header]) => [
        name.toLowerCase(),
        { pointer: `${header}/schema`, required: (at(header) as Header).required },
      ]),
    ),
  };
}

const escaped = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");

/** The value at a JSON pointer in the document. */
export const at = (pointer: string): unknown =>
  pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, token) => (value as Record<string, unknown>)[token], openapi);
