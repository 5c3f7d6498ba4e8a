import type { DomainError } from "../../vocabulary/errors";
import { TransportError } from "./error-body";

/**
 * Why a request is refused, as the log says it: in the words of the answer, unless clients are told less, and
 * without the names and paths that a client has chosen, because any text may stand in their place. Undefined
 * for a fault of the service, which has a line of its own.
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

/** A message without the name of a property that no input has. */
function withoutName(message: string): string {
  const at = message.indexOf("property ");
  if (at < 0 || !message.endsWith(" should not exist")) return message;
  return `${message.slice(0, at)}property … should not exist`;
}
