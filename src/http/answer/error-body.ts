import type { DomainError, ErrorCode } from "../../vocabulary/errors";

/** The status texts, as in Node 20. They must not change with the version of Node that runs the service. */
const statusNames = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type ErrorStatus = keyof typeof statusNames;

/** The error shape (contract 7.shape). */
export interface ErrorBody {
  readonly statusCode: ErrorStatus;
  readonly message: string | readonly string[];
  readonly error: string;
}

const statuses: Record<ErrorCode, ErrorStatus> = {
  INVALID_INPUT: 400,
  INVALID_CREDENTIALS: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
};

/** Thrown if a request fails before any service is called, for example because its body is too large. */
export class TransportError extends Error {
  constructor(
    readonly status: ErrorStatus,
    message: string = statusNames[status],
  ) {
    super(message);
    this.name = "TransportError";
  }
}

/** The body for a status. The default message is the status text. */
export const errorBody = (
  statusCode: ErrorStatus,
  message: string | readonly string[] = statusNames[statusCode],
): ErrorBody => ({ statusCode, message, error: statusNames[statusCode] });

/** The body for an error. Undefined stands for an internal error, whose cause the body does not reveal. */
export function errorBodyOf(refusal: DomainError | TransportError | undefined): ErrorBody {
  if (!refusal) return errorBody(500);
  return refusal instanceof TransportError
    ? errorBody(refusal.status, refusal.message)
    : errorBody(statuses[refusal.code], refusal.messages);
}
