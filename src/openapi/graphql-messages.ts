import type { ErrorStatus } from "../http/answer/error-body";
import { product } from "./examples";
import { exampleOf } from "./refusals";

const request = {
  type: "object",
  properties: {
    query: { type: "string", description: "The document." },
    operationName: { type: ["string", "null"], description: "Which of several operations to run." },
    variables: { type: ["object", "null"], description: "The operation's variables." },
    extensions: { type: ["object", "null"], description: 'For example `{ "cost": true }`.' },
  },
};

const position = { type: "integer", minimum: 1 };

const reason = {
  type: "object",
  description:
    "Why the service refuses, for programs. A code that is not known counts as `INVALID`.",
  properties: {
    code: { type: "string", pattern: "^[A-Z_]+$" },
    path: { type: "string", description: "The field of the input that is meant." },
  },
  required: ["code"],
  additionalProperties: { type: ["integer", "string"] },
};

/** The `extensions` of each error; `http` is the body that REST would answer. */
const extensions = {
  type: "object",
  properties: {
    code: { type: "string", pattern: "^[A-Z_]+$" },
    http: {
      type: "object",
      properties: {
        statusCode: { type: "integer", minimum: 400, maximum: 599 },
        message: {
          oneOf: [{ type: "string" }, { type: "array", items: { type: "string" }, maxItems: 500 }],
        },
        error: { type: "string" },
        retryAfter: { type: "integer", minimum: 0 },
      },
      required: ["statusCode", "message", "error"],
      additionalProperties: false,
    },
    reasons: { type: "array", items: reason, minItems: 1, maxItems: 500 },
  },
  required: ["code", "http"],
  additionalProperties: false,
};

const error = {
  type: "object",
  properties: {
    message: { type: "string" },
    locations: {
      type: "array",
      items: {
        type: "object",
        properties: { line: position, column: position },
        required: ["line", "column"],
        additionalProperties: false,
      },
    },
    path: { type: "array", items: { type: ["string", "integer"] } },
    extensions,
  },
  required: ["message", "extensions"],
  additionalProperties: false,
};

const count = { type: "integer", minimum: 0 };

const cost = {
  type: "object",
  description: "What the operation costs, if that was asked for.",
  properties: { cost: count, maxCost: count, depth: count },
  required: ["cost", "maxCost", "depth"],
  additionalProperties: false,
};

const answer = {
  type: "object",
  properties: {
    data: { type: ["object", "null"], description: "What the operation selects." },
    errors: { type: "array", items: error, minItems: 1, maxItems: 10 },
    extensions: {
      type: "object",
      properties: { cost },
      additionalProperties: false,
    },
  },
  anyOf: [{ required: ["data"] }, { required: ["errors"] }],
  additionalProperties: false,
};

/** A request with all properties that it may have. */
export const requestExample = {
  query: "query Tea($id: Int) { product(id: $id) { name price } }",
  operationName: "Tea",
  variables: { id: product.id },
  extensions: { cost: true },
};

/** The codes of requests that are refused before anything runs. All other statuses have BAD_REQUEST. */
const codes: { readonly [Status in ErrorStatus]?: string } = {
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

/** The answer to a request that is refused before any part of its operation runs. */
export const refusedExample = (status: ErrorStatus, message?: string): object => {
  const http = exampleOf(status, message);
  const retry = status === 503 && { retryAfter: 1 };
  const reasons = retry && { reasons: [{ code: "UNAVAILABLE", ...retry }] };
  const extensions = {
    code: codes[status] ?? "BAD_REQUEST",
    http: { ...http, ...retry },
    ...reasons,
  };
  return { errors: [{ message: http.message, extensions }] };
};

/** The schemas of GraphQL's messages; schema.graphql says what `data` holds. */
export const graphqlSchemas = {
  GraphQLRequest: { ...request, examples: [requestExample] },
  GraphQLAnswer: { ...answer, examples: [{ data: { categories: [{ name: "Green tea" }] } }] },
};
