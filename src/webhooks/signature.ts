import { createHmac, randomBytes } from "node:crypto";

/** How secrets begin, so that people and programs know one where they see it. */
const PREFIX = "whsec_";

const SECRET_BYTES = 32;

interface Message {
  /** The same for every try, so that the receiver knows what it has had before. */
  readonly id: string;
  /** The time of this try. Receivers refuse old ones, which somebody may have recorded. */
  readonly timestamp: Date;
  readonly body: string;
}

/** A new secret, which the shop and one receiver share. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

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

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");
