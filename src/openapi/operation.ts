import type { ErrorStatus } from "../http/answer/error-body";
import type { InputClass } from "../services/input/rules";
import { routes, type RestOperation } from "../rest/routes";
import { everyone, operations } from "../services/operations";
import { headersOf, QUOTA_HEADERS, type HeaderName } from "./headers";
import type { DescriptionOf } from "./input-schema";
import { describeParameter, IF_NONE_MATCH, pathParameters, type Parameter } from "./parameters";
import { refusal, TRANSPORT_REFUSALS, type Refusals } from "./refusals";
import { shapes, type ShapeName } from "./shapes";

/** An operation of the shop, as this folder describes it. {@link describeOperation} adds what follows from it. */
export interface ShopOperation {
  readonly id: RestOperation;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly Input: InputClass; readonly example: object };
  readonly answer: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly shape: ShapeName;
    readonly headers?: readonly HeaderName[];
  };
  /** Headers that every answer of the operation may have, refusals included. */
  readonly headers?: readonly HeaderName[];
  readonly refusals?: Refusals;
}

/** The operation as the document has it. */
export function describeOperation(operation: ShopOperation, descriptionOf: DescriptionOf): object {
  const { id, tag, summary, description, parameters = [], body } = operation;
  const all = isConditional(operation) ? [...parameters, IF_NONE_MATCH] : parameters;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: isProtected(operation) ? [{ administrator: [] }] : [],
    parameters: [
      ...pathParameters(routes[id]),
      ...all.map((each) => describeParameter(each, descriptionOf)),
    ],
    ...(body && { requestBody: describeBody(body) }),
    responses: { ...answers(operation), ...refusals(operation) },
  };
}

/** Whether the operation answers with an `ETag`, or with 304 (contract 11.conditional). */
const isConditional = ({ id }: ShopOperation): boolean => operations[id].reads === "catalogue";

const isProtected = ({ id }: ShopOperation): boolean => operations[id].access !== everyone;

const describeBody = ({ Input, example }: NonNullable<ShopOperation["body"]>): object => ({
  required: true,
  content: {
    "application/json": { schema: { $ref: `#/components/schemas/${Input.name}` }, example },
  },
});

/** The headers that every answer of the operation may have. */
const headersOfAll = ({ id, headers = [] }: ShopOperation): readonly HeaderName[] =>
  operations[id].limit ? [...headers, ...QUOTA_HEADERS] : headers;

function answers(operation: ShopOperation): object {
  const { answer } = operation;
  const cached: readonly HeaderName[] = isConditional(operation) ? ["ETag", "Cache-Control"] : [];
  const position: readonly HeaderName[] =
    operations[operation.id].changes === undefined ? [] : ["X-Session-Position"];
  const [, example] = shapes[answer.shape];
  return {
    [answer.status]: {
      description: answer.description,
      headers: headersOf([
        ...headersOfAll(operation),
        ...cached,
        ...position,
        ...(answer.headers ?? []),
      ]),
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${answer.shape}` },
          example,
        },
      },
    },
    ...(isConditional(operation) && {
      304: { description: "The client has the answer already.", headers: headersOf(cached) },
    }),
  };
}

function refusals(operation: ShopOperation): object {
  const { id, body, refusals: own = {} } = operation;
  const possible: Refusals = {
    ...TRANSPORT_REFUSALS,
    ...(isProtected(operation) && { 401: [], 403: [] }),
    ...(body && { 415: [] }),
    ...(operations[id].limit && { 429: [] }),
    500: [],
    503: [],
    ...own,
  };
  const numeric = routes[id].includes("/:")
    ? ["Validation failed (numeric string is expected)"]
    : [];
  const malformed = body ? ["Body must be valid JSON in UTF-8"] : [];
  const invalid = [...(own[400] ?? []), ...numeric, ...malformed];
  return Object.fromEntries(
    Object.entries({ ...possible, 400: invalid }).map(([status, messages]) => [
      status,
      refusal(Number(status) as ErrorStatus, messages, headersOfAll(operation)),
    ]),
  );
}
