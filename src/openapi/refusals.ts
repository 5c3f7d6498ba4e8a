import { errorBody, type ErrorBody, type ErrorStatus } from "../http/answer/error-body";
import type { JsonSchema } from "../services/input/rules";
import { headersOf, type HeaderName } from "./headers";
import { list, text } from "./schema";

/** The refusals that an operation documents: examples of their messages. */
export type Refusals = { readonly [Status in ErrorStatus]?: readonly ErrorBody["message"][] };

/** When each status is answered, and the usual message. */
const causes: Record<ErrorStatus, readonly [cause: string, message?: string]> = {
  400: ["The request is malformed or breaks a rule.", "Host must name one host"],
  401: ["The operation needs a valid token."],
  403: ["The token is valid, but its role is not allowed.", "Forbidden resource"],
  404: ["There is no such thing."],
  408: ["The request took too long to arrive."],
  409: ["The request contradicts what is stored."],
  413: ["The body, or a part of the request's framing, is too large."],
  415: ["The body is not JSON in UTF-8.", "Content-Type must be application/json in UTF-8"],
  417: ["`Expect` is anything but `100-continue`."],
  422: ["The key was used for another request.", "Idempotency-Key was used for another request"],
  429: ["Too many requests from one address."],
  431: ["The header fields are too large."],
  500: ["A fault of the service, about which the answer says nothing."],
  503: ["The database is down, or the service is overloaded or shutting down."],
};

/** The refusals that any request may get, before its path is looked at. */
export const TRANSPORT_REFUSALS: Refusals = { 400: [], 408: [], 413: [], 417: [], 431: [] };

/** All statuses of refusals. */
export const refusalStatuses = Object.keys(causes).map((status) => Number(status) as ErrorStatus);

/** The statuses whose answers operations have in common. */
export const commonStatuses = [
  400, 401, 403, 404, 408, 413, 415, 417, 431, 500, 503,
] as const satisfies readonly ErrorStatus[];

/** The name of a refusal's schema and of its response, such as `NotFound`. */
export const refusalName = (status: ErrorStatus): string =>
  errorBody(status).error.replaceAll(" ", "");

/** The error shape for one status (contract 7.shape). */
export const refusalSchema = (status: ErrorStatus): JsonSchema => {
  const single = text("What is wrong.", { minLength: 1 });
  const several = list(single, {
    description: "All faults of the input.",
    minItems: 1,
    maxItems: 500,
  });
  const { error } = errorBody(status);
  return {
    type: "object",
    properties: {
      statusCode: { type: "integer", const: status },
      message: status === 400 ? { oneOf: [single, several] } : single,
      error: { type: "string", const: error },
    },
    required: ["statusCode", "message", "error"],
    additionalProperties: false,
    examples: [exampleOf(status)],
  };
};

/** The body of a refusal that has further properties, with their example. */
export const withProperties = (
  status: ErrorStatus,
  properties: Readonly<Record<string, JsonSchema>>,
  example: object,
): object => {
  const { examples: _, ...schema } = refusalSchema(status);
  const all = { ...(schema.properties as object), ...properties };
  return {
    "application/json": {
      schema: { ...schema, properties: all, required: Object.keys(all) },
      example: { ...exampleOf(status), ...example },
    },
  };
};

/** The usual body of a refusal. */
export const exampleOf = (status: ErrorStatus, message = causes[status][1]): ErrorBody =>
  errorBody(status, message);

const requiredHeaders: { readonly [Status in ErrorStatus]?: readonly HeaderName[] } = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The answer to a refusal: a reference if the operation has nothing of its own to say about it. */
export const refusal = (
  status: ErrorStatus,
  messages: readonly ErrorBody["message"][],
  headers: readonly HeaderName[],
): object =>
  messages.length === 0 && headers.length === 0
    ? { $ref: `#/components/responses/${refusalName(status)}` }
    : refusalResponse(status, messages, headers);

/** The whole answer to a refusal. */
export const refusalResponse = (
  status: ErrorStatus,
  messages: readonly ErrorBody["message"][] = [],
  headers: readonly HeaderName[] = [],
): object => ({
  description: causes[status][0],
  headers: headersOf([...(requiredHeaders[status] ?? []), ...headers]),
  content: {
    "application/json": {
      schema: { $ref: `#/components/schemas/${refusalName(status)}` },
      examples: examplesOf(status, messages),
    },
  },
});

const examplesOf = (status: ErrorStatus, messages: readonly ErrorBody["message"][]): object => {
  const { message } = exampleOf(status);
  const all = messages.length > 0 ? messages : [message];
  return Object.fromEntries(
    all.map((each) => [[each].flat().join("; "), { value: errorBody(status, each) }]),
  );
};
