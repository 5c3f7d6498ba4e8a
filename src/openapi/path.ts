import type { ErrorStatus } from "../http/answer/error-body";
import type { JsonSchema } from "../services/input/rules";
import { headersOf, type HeaderName } from "./headers";
import { refusal, TRANSPORT_REFUSALS } from "./refusals";

/** The operations of a path, as the document has them. */
export type PathItem = Readonly<Record<string, object>>;

/** An answer of JSON. */
export const jsonAnswer = (
  description: string,
  schema: JsonSchema,
  example: unknown,
  headers: readonly HeaderName[] = [],
): object => ({
  description,
  headers: headersOf(headers),
  content: { "application/json": { schema, example } },
});

/** An operation of the service rather than of the shop: open to everyone, without parameters. */
export const openOperation = (
  operation: {
    readonly operationId: string;
    readonly tag: string;
    readonly summary: string;
    readonly description?: string;
    readonly requestBody?: object;
    readonly parameters?: readonly object[];
    /** It is answered as soon as the head is read, so no body can be refused as too large. */
    readonly ignoresBody?: true;
  },
  answers: Readonly<Record<string, object>>,
  headers: readonly HeaderName[] = [],
): object => {
  const { tag, ignoresBody = false, ...rest } = operation;
  const refusals = Object.keys(TRANSPORT_REFUSALS)
    .filter((status) => !(ignoresBody && status === "413"))
    .map((status) => [status, refusal(Number(status) as ErrorStatus, [], headers)]);
  return {
    ...rest,
    tags: [tag],
    security: [],
    responses: { ...(Object.fromEntries(refusals) as object), ...answers },
  };
};
