import { isNativeError } from "node:util/types";
import type { Issue, Reason } from "./reasons";

/** The error codes of the services. Services know nothing of HTTP; each API maps the codes to its own protocol. */
export const errorCodes = [
  "INVALID_INPUT",
  "INVALID_CREDENTIALS",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "IDEMPOTENCY_KEY_REUSED",
  "TOO_MANY_REQUESTS",
  "UNAVAILABLE",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The state of a rate limit for one client. */
export interface Quota {
  /** The kind of request that is limited, such as `orders`. */
  readonly name: string;
  /** Requests per window, and the window's length in seconds. */
  readonly limit: number;
  readonly seconds: number;
  readonly remaining: number;
  /** Seconds until the next window. */
  readonly reset: number;
}

/**
 * Why the service can't answer now, for its operators; clients don't learn it:
 * - `connections`: too many requests wait for a connection to the database, or one has waited too long.
 * - `database`: the database is away, or has given up.
 * - `lists`: too many requests wait for a costly list, or one has waited too long.
 * - `answers`: too many requests wait for the memory of a large GraphQL answer, or one has waited too long.
 * - `logins`: too many logins wait, or are under way for the same account or address.
 * - `closing`: the service is shutting down.
 * - `abandoned`: the client is gone.
 */
export type Unavailability =
  "connections" | "database" | "lists" | "answers" | "logins" | "closing" | "abandoned";

/** Why a token is refused, for the log; clients don't learn it. */
export type TokenError =
  | "no token"
  | "token not valid"
  | "token expired"
  | "login expired"
  | "account not active"
  | "session ended"
  | "password changed";

export interface DomainErrorDetails {
  /** What the log says instead of the messages, which tell clients less. */
  logged?: string;
  /** For INVALID_CREDENTIALS: the password was right, and the code was not. */
  isWrongCode?: boolean;
  /** For UNAVAILABLE. */
  reason?: Unavailability;
  /** For UNAUTHENTICATED: whether a token was presented at all (RFC 6750 section 3.1). */
  tokenPresented?: boolean;
  /** For TOO_MANY_REQUESTS: the limit, unless clients must not learn it (as for failed logins). */
  quota?: Quota;
}

/** A refusal: an error that the client is meant to see, with a code and the issues that explain it. */
export class DomainError extends Error {
  /** One message, or the list of validation messages (contract 7.shape). */
  readonly messages: string | readonly string[];
  /** One for each message. */
  readonly reasons: readonly Reason[];

  constructor(
    readonly code: ErrorCode,
    issues: Issue | readonly Issue[],
    readonly details: DomainErrorDetails = {},
  ) {
    const isOne = "message" in issues;
    const all = isOne ? [issues] : issues;
    super(all.map(({ message }) => message).join("; "));
    this.name = "DomainError";
    this.messages = isOne ? issues.message : all.map(({ message }) => message);
    this.reasons = all.map(({ reason }) => reason);
  }

  /** Seconds after which a retry makes sense; undefined if none does. */
  get retryAfter(): number | undefined {
    const [first] = this.reasons;
    return first && "retryAfter" in first ? first.retryAfter : undefined;
  }
}

/**
 * A failure of the service or of a command that its operator can fix. The message says what is wrong and,
 * if that is not obvious, what to do about it. It contains no password and is shown without a stack trace.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** The message of any thrown value, on one line. */
export function messageOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  // If all addresses of a host fail, Node throws an AggregateError that has no message.
  if ("errors" in error && Array.isArray(error.errors)) {
    return error.errors.map(messageOf).join("; ");
  }
  const lines = error.message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.join("; ") || error.name;
}

/** Input that breaks the rules; issues of a body are a list even if there is only one (contract 1.2). */
export const invalidInput = (issues: Issue | readonly Issue[]): DomainError =>
  new DomainError("INVALID_INPUT", issues);

/** The one answer to an unknown e-mail, an inactive account and a wrong password (contract 5.3). */
export const invalidCredentials = (
  details: Pick<DomainErrorDetails, "isWrongCode" | "logged"> = {},
): DomainError =>
  new DomainError(
    "INVALID_CREDENTIALS",
    { message: "Invalid credentials", reason: { code: "CREDENTIALS" } },
    details,
  );

/** No valid token on a protected operation (contract 7.401). */
export const unauthenticated = (error: TokenError): DomainError =>
  new DomainError(
    "UNAUTHENTICATED",
    { message: "Unauthorized", reason: { code: "TOKEN" } },
    { tokenPresented: error !== "no token", logged: error },
  );

/** The caller may not do this (contract 7.403); only the log says why. */
export const forbidden = (
  logged: string,
  code: "ROLE" | "CONFIRM_IDENTITY" | "SECOND_FACTOR" = "ROLE",
): DomainError =>
  new DomainError("FORBIDDEN", { message: "Forbidden resource", reason: { code } }, { logged });

/** The requested resource does not exist; `noun` is capitalised, such as `Product`. */
export const notFound = (noun: string): DomainError =>
  new DomainError("NOT_FOUND", { message: `${noun} not found`, reason: { code: "NOT_FOUND" } });

/** The request is well-formed but contradicts the stored data. */
export const conflict = (message: string, reason: Reason): DomainError =>
  new DomainError("CONFLICT", { message, reason });

/** The idempotency key belongs to another request, about which the error reveals nothing. */
export const idempotencyKeyReused = (): DomainError =>
  new DomainError("IDEMPOTENCY_KEY_REUSED", {
    message: "Idempotency-Key was used for another request",
    reason: { code: "KEY_REUSED", path: "idempotencyKey" },
  });

/** Too many requests from one client; `reset` is in seconds. */
export const tooManyRequests = (quota: Quota | { readonly reset: number }): DomainError =>
  new DomainError(
    "TOO_MANY_REQUESTS",
    { message: "Too Many Requests", reason: { code: "LIMIT", retryAfter: quota.reset } },
    {
      logged: "limit" in quota ? `limit of ${quota.name}` : "limit of failed logins",
      ...("limit" in quota && { quota }),
    },
  );

/** The service can't answer now; the client may retry after a second. */
export const unavailable = (reason: Unavailability): DomainError =>
  new DomainError(
    "UNAVAILABLE",
    { message: "Service Unavailable", reason: { code: "UNAVAILABLE", retryAfter: 1 } },
    { reason, logged: reason },
  );
