import { createHmac } from "node:crypto";
import { keyOf } from "../vocabulary/webhooks";

interface WebhookEvent {
  /** Such as `order.placed`. */
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A body has fewer bytes. */
const LIMIT = 20_000;

/** What a receiver needs to ask for the rest; never left out. */
const NEEDED = ["id", "version"];

/**
 * The text of a message: JSON with the event's `type`, `timestamp` and `data`. If it would be too long, the longest
 * members of the data are left out, and `data.omitted` names them.
 */
export function webhookBody({ type, at, data }: WebhookEvent): string {
  const bodyOf = (members: object): string =>
    JSON.stringify({ type, timestamp: at.toISOString(), data: members });
  const longestFirst = Object.entries(data)
    .filter(([name, value]) => !NEEDED.includes(name) && value !== undefined)
    .map(([name, value]) => ({ name, bytes: bytesOf(JSON.stringify({ [name]: value })) }))
    .sort((one, other) => other.bytes - one.bytes);
  let body = bodyOf(data);
  const omitted: string[] = [];
  for (const { name } of longestFirst) {
    if (bytesOf(body) < LIMIT) break;
    omitted.push(name);
    const left = Object.entries(data).filter(([each]) => !omitted.includes(each));
    body = bodyOf({ ...Object.fromEntries(left), omitted: omitted.toSorted() });
  }
  return body;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

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
