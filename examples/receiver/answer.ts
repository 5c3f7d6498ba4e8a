import type { IncomingHttpHeaders } from "node:http";
import { WebhookVerificationError } from "standardwebhooks";
import type { Handler, ShopEvent } from "./events";
import { RecentIds, type Inbox } from "./inbox";
import { readerWith } from "./verify";

export interface ReceiverOptions {
  /** The endpoint's secret, which begins with `whsec_`. */
  readonly secret: string;
  /** Is given each event once, also if it comes twice; again if it has failed. */
  readonly handle: Handler;
  readonly inbox?: Inbox;
  /** Is told why a request is answered with 500. */
  readonly report?: (error: unknown) => void;
}

/** Most bytes of a body. */
export const MOST_BYTES = 1_000_000;

/**
 * Takes a request's event on and returns the status of the answer: the shop is done with the event after a 2xx, never
 * sends another one after 410, and tries again after all others.
 */
export function answerWith({
  secret,
  handle,
  inbox = new RecentIds(),
  report = console.error,
}: ReceiverOptions): (body: Buffer, headers: IncomingHttpHeaders) => Promise<number> {
  const read = readerWith(secret);
  return async (body, headers) => {
    let event: ShopEvent;
    try {
      event = read(body, headers);
    } catch (error) {
      if (error instanceof WebhookVerificationError) return 401;
      report(error);
      return 500;
    }
    try {
      await inbox.once(event.id, async () => handle(event));
      return 204;
    } catch (error) {
      report(error);
      return 500;
    }
  };
}
