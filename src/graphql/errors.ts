import { unwrapResolverError } from "@apollo/server/errors";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { GraphqlSettings } from "../config/settings";
import { DomainError, type ErrorCode } from "../vocabulary/errors";
import type { Reason } from "../vocabulary/reasons";
import { errorBody, errorBodyOf, TransportError, type ErrorBody } from "../http/answer/error-body";
import { loggedReason, type ErrorReports } from "../http/answer/failure-report";
import { recordError } from "../http/request/request-context";
import { countUnavailable, refusalOf } from "../services/refusals";

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
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
]);

const INTERNAL = "INTERNAL_SERVER_ERROR";

/** The most characters of a reported path; clients choose the aliases in it. */
const PATH_LENGTH = 200;

const pathOf = ({ path }: GraphQLFormattedError): { readonly path?: string } =>
  path ? { path: path.join(".").slice(0, PATH_LENGTH) } : {};

/** The most characters of GraphQL's own messages, because some repeat the value that they refuse. */
const MESSAGE_LENGTH = 500;

export interface ErrorFormatOptions extends ErrorReports, Pick<GraphqlSettings, "suggestions"> {}

export type ErrorFormat = ReturnType<typeof errorFormat>;

/** The only place where failures become GraphQL errors. */
export const errorFormat =
  ({ suggestions, report, meter }: ErrorFormatOptions) =>
  (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const failure = unwrapResolverError(thrown);
    // Errors that plugins throw before any resolver runs are wrapped too, but Apollo does not unwrap them.
    const refusal = failure === thrown ? refusalIn(thrown) : refusalOf(failure);
    if (refusal) {
      countUnavailable(refusal, meter);
      const extensions = extensionsOf(refusal);
      record(extensions, loggedReason(refusal));
      if (failure !== thrown && failure !== refusal) {
        report(failure, { status: 503, code: extensions.code, ...pathOf(formatted) });
      }
      return withExtensions(formatted, refusal.message, extensions);
    }
    const code = String(formatted.extensions?.code);
    if (failure === thrown && languageCodes.has(code)) {
      const short = formatted.message.slice(0, MESSAGE_LENGTH);
      const message = suggestions ? short : withoutSuggestion(short);
      const extensions = { code, http: errorBody(400, message) };
      record(extensions, withoutValues(short));
      return withExtensions(formatted, message, extensions);
    }
    report(failure, { status: 500, code: INTERNAL, ...pathOf(formatted) });
    const extensions = { code: INTERNAL, http: errorBody(500) };
    record(extensions);
    return withExtensions(formatted, extensions.http.error, extensions);
  };

/** Records an error for the log. */
const record = ({ code, http }: ErrorExtensions, reason?: string): void =>
  recordError(http.statusCode, { code, reason });

/**
 * The beginning of one of GraphQL's own messages, cut off where it quotes the request. The quote may be a
 * password in the wrong place.
 */
function withoutValues(message: string): string {
  const at = message.search(/["']|(?<=value: )/);
  return at < 0 ? message : `${message.slice(0, at)}…`;
}

function refusalIn(thrown: unknown): DomainError | undefined {
  const { originalError } = thrown as Partial<GraphQLError>;
  return originalError instanceof DomainError ? originalError : undefined;
}

interface ErrorExtensions {
  readonly code: string;
  readonly http: ErrorBody & { readonly retryAfter?: number };
  /** The reasons of a refusal by a service, one for each message. */
  readonly reasons?: readonly Reason[];
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
  readonly code: string;
  readonly body: object;
}

/** The answer to a request that fails before GraphQL handles it, for example because its JSON is malformed. */
export function transportAnswer(
  failure: unknown,
  { report, meter }: ErrorReports,
): TransportAnswer {
  const refusal = failure instanceof TransportError ? failure : refusalOf(failure);
  if (refusal instanceof DomainError) countUnavailable(refusal, meter);
  const extensions: ErrorExtensions =
    refusal instanceof DomainError
      ? extensionsOf(refusal)
      : { code: refusal ? "BAD_REQUEST" : INTERNAL, http: errorBodyOf(refusal) };
  if (refusal !== failure) report(failure, { status: refusal ? 503 : 500, code: extensions.code });
  record(extensions, loggedReason(refusal));
  const { http } = extensions;
  const body = { errors: [{ message: String(http.message), extensions }] };
  return { status: http.statusCode, retryAfter: http.retryAfter, code: extensions.code, body };
}

/** The extensions of a refusal: its code, the body that REST would answer, and its reasons. */
function extensionsOf(refusal: DomainError): ErrorExtensions {
  const { retryAfter, reasons } = refusal;
  const http = { ...errorBodyOf(refusal), ...(retryAfter !== undefined && { retryAfter }) };
  return { code: codes[refusal.code], http, reasons };
}

/** Refuses a request before anything of it runs. Under `application/graphql-response+json` the status is 400. */
export const graphqlRefusal = (cause: Error | undefined, extensions = {}): GraphQLError =>
  new GraphQLError(cause?.message ?? "Refused", {
    ...(cause && { originalError: cause }),
    extensions: { ...extensions, http: { status: 400 } },
  });
