import type { DomainError, ErrorCode } from "../errors";

/** The texts of the statuses that the service answers with: those of Node 20, whatever runs it. */
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

/** A status that the service answers a refusal with. */
export type ErrorStatus = keyof typeof statusNames;

/** The error shape of spec.md section 7. */
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

/** A request that fails as HTTP before it means anything to the shop, such as one with too large a body. */
export class TransportError extends Error {
  constructor(
    readonly status: ErrorStatus,
    message: string = statusNames[status],
  ) {
    super(message);
    this.name = "TransportError";
  }
}

/** The body for a status; without a message, the status's own name is the message. */
export const errorBody = (
  statusCode: ErrorStatus,
  message: string | readonly string[] = statusNames[statusCode],
): ErrorBody => ({ statusCode, message, error: statusNames[statusCode] });

/** What a client reads of a refusal; undefined, a fault of ours, tells nothing of its cause. */
export function errorBodyOf(refusal: DomainError | TransportError | undefined): ErrorBody {
  if (!refusal) return errorBody(500);
  return refusal instanceof TransportError
    ? errorBody(refusal.status, refusal.message)
    : errorBody(statuses[refusal.code], refusal.messages);
}
