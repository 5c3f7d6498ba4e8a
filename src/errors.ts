import { isNativeError } from "node:util/types";

/**
 * The vocabulary of refusals. Services speak it; each door maps it to its own protocol.
 * There is no HTTP in here: a code says what went wrong, never how it is transported.
 */
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

/** One reason for which the shop refuses a request. */
export type ErrorCode = (typeof errorCodes)[number];

/** What is left of a rate limit. */
export interface Quota {
  /** What is limited, such as `orders`. */
  readonly name: string;
  /** Requests per window, and the window's length in seconds. */
  readonly limit: number;
  readonly seconds: number;
  readonly remaining: number;
  /** Seconds until the next window. */
  readonly reset: number;
}

/** What a refusal may carry beside its code and messages. */
export interface DomainErrorDetails {
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** For UNAUTHENTICATED: whether a token was presented at all (RFC 6750 section 3.1). */
  tokenPresented?: boolean;
  /** For TOO_MANY_REQUESTS: the limit, where it is not a secret of the guard. */
  quota?: Quota;
}

/** A refusal that the caller is meant to see: a code and the message, or messages, that explain it. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** One message, or the list of validation messages (contract 7.shape). */
    readonly messages: string | readonly string[],
    readonly details: DomainErrorDetails = {},
  ) {
    super(typeof messages === "string" ? messages : messages.join("; "));
    this.name = "DomainError";
  }
}

/**
 * Why the service, or a command, can't start or do its work. The message is for whoever started it: it says
 * what is wrong and, where that is not obvious, what to do about it, without a password and without need
 * of a stack.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** What any error says, on one line. */
export function messageOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  // Node reports a host with several addresses as a group of errors, without a message of its own.
  if ("errors" in error && Array.isArray(error.errors)) {
    return error.errors.map(messageOf).join("; ");
  }
  const lines = error.message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.join("; ") || error.name;
}

/** Input that breaks the documented shape; `messages` is a list even of one (contract 1.2). */
export const invalidInput = (messages: string | readonly string[]): DomainError =>
  new DomainError("INVALID_INPUT", messages);

/** The one answer to an unknown e-mail, an inactive account and a wrong password (contract 5.3). */
export const invalidCredentials = (): DomainError =>
  new DomainError("INVALID_CREDENTIALS", "Invalid credentials");

/** No valid token on a protected operation (contract 7.401). */
export const unauthenticated = (tokenPresented: boolean): DomainError =>
  new DomainError("UNAUTHENTICATED", "Unauthorized", { tokenPresented });

/** A valid token whose role is not allowed (contract 7.403). */
export const forbidden = (): DomainError => new DomainError("FORBIDDEN", "Forbidden resource");

/** The thing that was asked for does not exist; `noun` is capitalised, such as `Product`. */
export const notFound = (noun: string): DomainError =>
  new DomainError("NOT_FOUND", `${noun} not found`);

/** The request is well-formed but contradicts what is stored. */
export const conflict = (message: string): DomainError => new DomainError("CONFLICT", message);

/** An idempotency key that another request was placed under; tells nothing about that one. */
export const idempotencyKeyReused = (): DomainError =>
  new DomainError("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key was used for another request");

/** Too many requests of one client; `reset` is in seconds. */
export const tooManyRequests = (quota: Quota | { readonly reset: number }): DomainError =>
  new DomainError("TOO_MANY_REQUESTS", "Too Many Requests", {
    retryAfter: quota.reset,
    ...("limit" in quota && { quota }),
  });

/** The service can't answer now; a retry after `retryAfter` seconds makes sense. */
export const unavailable = (retryAfter = 1): DomainError =>
  new DomainError("UNAVAILABLE", "Service Unavailable", { retryAfter });
