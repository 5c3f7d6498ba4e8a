import { unwrapResolverError } from "@apollo/server/errors";
import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { GraphqlSettings } from "../config/settings";
import { DomainError, type ErrorCode } from "../errors";
import { errorBody, errorBodyOf, TransportError, type ErrorBody } from "../http/error-body";
import { refusalOf } from "../services/refusals";

/** The `extensions.code` of each refusal (contract 10.errors). */
const codes: Record<ErrorCode, string> = {
  INVALID_INPUT: "BAD_USER_INPUT",
  INVALID_CREDENTIALS: "BAD_USER_INPUT",
  UNAUTHENTICATED: "UNAUTHENTICATED",
  FORBIDDEN: "FORBIDDEN",
  NOT_FOUND: "NOT_FOUND",
  CONFLICT: "CONFLICT",
  IDEMPOTENCY_KEY_REUSED: "CONFLICT",
  TOO_MANY_REQUESTS: "TOO_MANY_REQUESTS",
  UNAVAILABLE: "SERVICE_UNAVAILABLE",
};

/** Codes of errors that GraphQL finds before any resolver runs. These errors keep GraphQL's own message. */
const languageCodes = new Set([
  "BAD_REQUEST",
  "BAD_USER_INPUT",
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_SUPPORTED",
]);

/** Most characters of GraphQL's own messages, because some repeat the value that they refuse. */
const MESSAGE_LENGTH = 500;

export interface ErrorFormatOptions extends Pick<GraphqlSettings, "suggestions"> {
  /** Receives faults of the service, whose cause is not shown to the client. */
  readonly report: (fault: unknown) => void;
}

/** The only place where failures become GraphQL errors. */
export const errorFormat =
  ({ suggestions, report }: ErrorFormatOptions) =>
  (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const failure = unwrapResolverError(thrown);
    // Errors that plugins throw before any resolver runs are wrapped too, but Apollo does not unwrap them.
    const refusal = failure === thrown ? refusalIn(thrown) : refusalOf(failure);
    if (refusal) return withExtensions(formatted, refusal.message, extensionsOf(refusal));
    const code = String(formatted.extensions?.code);
    if (failure === thrown && languageCodes.has(code)) {
      const short = formatted.message.slice(0, MESSAGE_LENGTH);
      const message = suggestions ? short : withoutSuggestion(short);
      return withExtensions(formatted, message, { code, http: errorBody(400, message) });
    }
    report(failure);
    const http = errorBody(500);
    return withExtensions(formatted, http.error, { code: "INTERNAL_SERVER_ERROR", http });
  };

function refusalIn(thrown: unknown): DomainError | undefined {
  const { originalError } = thrown as Partial<GraphQLError>;
  return originalError instanceof DomainError ? originalError : undefined;
}

interface ErrorExtensions {
  readonly code: string;
  readonly http: ErrorBody & { readonly retryAfter?: number };
}

const withExtensions = (
  { locations, path }: GraphQLFormattedError,
  message: string,
  extensions: ErrorExtensions,
): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions: { ...extensions },
});

function withoutSuggestion(message: string): string {
  const at = message.indexOf("Did you mean ");
  return at < 0 ? message : message.slice(0, at).trimEnd();
}

export interface TransportAnswer {
  readonly status: number;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined;
  readonly body: object;
}

/** The answer to a request that fails before GraphQL handles it, for example because its JSON is malformed. */
export function transportAnswer(
  failure: unknown,
  report: (fault: unknown) => void,
): TransportAnswer {
  const refusal = failure instanceof TransportError ? failure : refusalOf(failure);
  if (!refusal) report(failure);
  const extensions: ErrorExtensions =
    refusal instanceof DomainError
      ? extensionsOf(refusal)
      : { code: refusal ? "BAD_REQUEST" : "INTERNAL_SERVER_ERROR", http: errorBodyOf(refusal) };
  const { http } = extensions;
  const body = { errors: [{ message: String(http.message), extensions }] };
  return { status: http.statusCode, retryAfter: http.retryAfter, body };
}

/** The extensions of a refusal: its code, and the body that REST would answer. */
function extensionsOf(refusal: DomainError): ErrorExtensions {
  const { retryAfter } = refusal.details;
  const http = { ...errorBodyOf(refusal), ...(retryAfter !== undefined && { retryAfter }) };
  return { code: codes[refusal.code], http };
}
