import { createHmac } from "node:crypto";
import { keyOf } from "../vocabulary/webhook-secret";

interface Message {
  /** The same for every try, so that the receiver knows what it has had before. */
  readonly id: string;
  /** The time of this try. Receivers refuse old ones, which somebody may have recorded. */
  readonly timestamp: Date;
  readonly body: string;
}

/**
 * The headers that show a receiver who has sent the message, by Standard Webhooks 1.0.0. There is a signature for
 * each of the secrets, of which the newest comes first: while a secret is replaced, the receiver may know either.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: Message,
): Record<string, string> {
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const signed = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
