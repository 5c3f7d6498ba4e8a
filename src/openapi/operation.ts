import type { ErrorStatus } from "../http/answer/error-body";
import type { InputClass } from "../services/input/rules";
import { everyone, permissions, type Operation } from "../services/operations";
import { headersOf, type HeaderName } from "./headers";
import type { DescriptionOf } from "./input-schema";
import { describeParameter, IF_NONE_MATCH, pathParameters, type Parameter } from "./parameters";
import { refusal, TRANSPORT_REFUSALS, type Refusals } from "./refusals";
import { shapes, type ShapeName } from "./shapes";

/** An operation of the shop as this room writes it down; what follows from its parts is added. */
export interface ShopOperation {
  /** Method and path, as the router has them. */
  readonly route: string;
  readonly id: Operation;
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
  /** Whether it answers with an `ETag`, and with 304 to a client that has the answer (contract 11.conditional). */
  readonly isConditional?: true;
  readonly refusals?: Refusals;
}

/** The operation as the document has it. */
export function describeOperation(operation: ShopOperation, descriptionOf: DescriptionOf): object {
  const { id, tag, summary, description, route, parameters = [], body, isConditional } = operation;
  const all = isConditional ? [...parameters, IF_NONE_MATCH] : parameters;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: isProtected(operation) ? [{ administrator: [] }] : [],
    parameters: [
      ...pathParameters(route),
      ...all.map((each) => describeParameter(each, descriptionOf)),
    ],
    ...(body && { requestBody: describeBody(body) }),
    responses: { ...answers(operation), ...refusals(operation) },
  };
}

const isProtected = ({ id }: ShopOperation): boolean => permissions[id] !== everyone;

const describeBody = ({ Input, example }: NonNullable<ShopOperation["body"]>): object => ({
  required: true,
  content: {
    "application/json": { schema: { $ref: `#/components/schemas/${Input.name}` }, example },
  },
});

function answers({ answer, headers = [], isConditional }: ShopOperation): object {
  const cached: readonly HeaderName[] = isConditional ? ["ETag", "Cache-Control"] : [];
  const [, example] = shapes[answer.shape];
  return {
    [answer.status]: {
      description: answer.description,
      headers: headersOf([...headers, ...cached, ...(answer.headers ?? [])]),
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${answer.shape}` },
          example,
        },
      },
    },
    ...(isConditional && {
      304: { description: "The client has the answer already.", headers: headersOf(cached) },
    }),
  };
}

function refusals(operation: ShopOperation): object {
  const { route, body, headers = [], refusals: own = {} } = operation;
  const possible: Refusals = {
    ...TRANSPORT_REFUSALS,
    ...(isProtected(operation) && { 401: [], 403: [] }),
    ...(body && { 415: [] }),
    500: [],
    503: [],
    ...own,
  };
  const numeric = route.includes("/:") ? ["Validation failed (numeric string is expected)"] : [];
  const malformed = body ? ["Body must be valid JSON in UTF-8"] : [];
  const invalid = [...(own[400] ?? []), ...numeric, ...malformed];
  return Object.fromEntries(
    Object.entries({ ...possible, 400: invalid }).map(([status, messages]) => [
      status,
      refusal(Number(status) as ErrorStatus, messages, headers),
    ]),
  );
}
