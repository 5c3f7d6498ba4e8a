import { unwrapResolverError } from "@apollo/server/errors";
import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { DomainError, type ErrorCode } from "../errors";
import { errorBody, errorBodyOf, TransportError } from "../http/error-body";
import { refusalOf } from "../services/faults";

/** What `extensions.code` says of a refusal (contract.md, "Errors"). */
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

/** Codes of refusals by the language itself, before any resolver: they keep GraphQL's own message. */
const languageCodes = new Set([
  "BAD_REQUEST",
  "BAD_USER_INPUT",
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_SUPPORTED",
]);

/** Most characters of GraphQL's own messages: some repeat the value that they refuse. */
const MESSAGE_LENGTH = 500;

/** How errors are shown. */
export interface ErrorFormatOptions {
  /** Whether "Did you mean" may tell names of the schema. */
  readonly suggestions: boolean;
  /** Takes faults of ours, which the client learns nothing of. */
  readonly report: (fault: unknown) => void;
}

/** The one place where failures become GraphQL errors. */
export const errorFormat =
  ({ suggestions, report }: ErrorFormatOptions) =>
  (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const failure = unwrapResolverError(thrown);
    // What a plugin throws before all resolvers is wrapped as well, but not unwrapped by Apollo.
    const refusal = failure === thrown ? refusalIn(thrown) : refusalOf(failure);
    if (refusal) {
      const { retryAfter } = refusal.details;
      const http = { ...errorBodyOf(refusal), ...(retryAfter !== undefined && { retryAfter }) };
      return withExtensions(formatted, refusal.message, { code: codes[refusal.code], http });
    }
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

const withExtensions = (
  { locations, path }: GraphQLFormattedError,
  message: string,
  extensions: Record<string, unknown>,
): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions,
});

const withoutSuggestion = (message: string): string => message.replace(/ ?Did you mean .*$/s, "");

/** The body of a request that never became GraphQL, such as one whose JSON is malformed. */
export function transportErrorBody(failure: unknown): { status: number; body: object } {
  const refusal = failure instanceof TransportError ? failure : refusalOf(failure);
  const http = errorBodyOf(refusal);
  const code = http.statusCode < 500 ? "BAD_REQUEST" : "INTERNAL_SERVER_ERROR";
  const message = String(http.message);
  return { status: http.statusCode, body: { errors: [{ message, extensions: { code, http } }] } };
}
