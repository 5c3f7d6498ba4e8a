import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import type { ShopEvent } from "./events";

/** Reads a request that the shop has signed. */
export type Reader = (body: Buffer, headers: IncomingHttpHeaders) => ShopEvent;

/**
 * Takes bodies as they were sent, because the signature is over their bytes. A JSON parser must not run first: what
 * it has read is other text once it is written again, by spaces, escapes or numbers, and the signature is then
 * wrong. While the secret is being changed there are two signatures, of which one has to fit.
 *
 * @throws WebhookVerificationError, from the reader, if the signature does not fit or is older than 5 minutes
 */
export function readerWith(secret: string): Reader {
  const webhook = new Webhook(secret);
  return (body, headers) => {
    const signed = headers as Record<string, string>;
    const event = webhook.verify(body, signed) as Omit<ShopEvent, "id">;
    return { ...event, id: signed["webhook-id"] ?? "" };
  };
}
