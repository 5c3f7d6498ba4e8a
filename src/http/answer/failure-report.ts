import type { Meter } from "../../vocabulary/meter";
import type { DomainError } from "../../vocabulary/errors";
import { TransportError } from "./error-body";

/** What the answer tells the client about a failure, instead of its cause. */
export interface FailureAnswer {
  readonly status: 500 | 503;
  /** The error's code in GraphQL. */
  readonly code?: string;
  /** The error's path in the GraphQL answer, such as `products.data.0.category`. */
  readonly path?: string;
}

/**
 * Receives every failure whose cause clients must not see: internal errors, and failures of the database.
 * Refusals by a service are no failures.
 */
export type FailureReport = (failure: unknown, answer: FailureAnswer) => void;

/** Where an API reports its errors. */
export interface ErrorReports {
  readonly report: FailureReport;
  readonly meter: Pick<Meter, "unavailable">;
}

/**
 * The reason of a refusal for the log. It is the message of the answer, or a more exact one where clients learn
 * less. It leaves out names and paths that the client chose, because they may be any text. Undefined for an
 * internal error, which has a line of its own in the log.
 */
export function loggedReason(
  refusal: DomainError | TransportError | undefined,
): string | undefined {
  if (!refusal) return undefined;
  if (refusal instanceof TransportError) {
    return refusal.status === 404 ? "no such route" : refusal.message;
  }
  const { details, messages } = refusal;
  if (details.logged !== undefined) return details.logged;
  const texts = typeof messages === "string" ? [messages] : messages;
  return texts.map(withoutName).join("; ");
}

/** The message about an unknown property, without the name of the property; any other message as it is. */
function withoutName(message: string): string {
  if (!message.endsWith(" should not exist")) return message;
  return `${message.slice(0, message.indexOf("property "))}property … should not exist`;
}
