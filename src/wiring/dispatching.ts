import type { Logger } from "pino";
import type { WebhookSettings } from "../config/settings";
import type { Services } from "../services";
import type { ClaimedDelivery } from "../services/events/delivery-queue";
import { publicId } from "../services/events/events";
import type { Meter } from "../vocabulary/meter";
import { signatureHeaders, webhookBody } from "../webhooks/message";
import { Dispatcher, type NoRequest } from "../webhooks/dispatcher";
import { WebhookSender, type WebhookRequest } from "../webhooks/sender";

/** What a process sends webhooks with. */
export interface Dispatching {
  /** Claims no more, and resolves when what is being sent has ended and is stored; in bounded time. */
  drain(): Promise<void>;
}

interface Reports {
  readonly logger: Logger;
  readonly meter: Meter;
  /** Logs what went wrong in the background. */
  readonly failed: (error: unknown) => void;
}

/** What messages are made with. */
type MessageParts = "endpoints" | "orders" | "subscriptionTokens";

/** Sends webhooks from now on. Any number of processes may. */
export function startDispatching(
  services: Pick<Services, "changes" | "deliveryQueue" | MessageParts>,
  settings: WebhookSettings,
  { logger, failed, meter }: Reports,
): Dispatching {
  const sender = new WebhookSender(settings);
  const dispatcher = new Dispatcher(services.deliveryQueue, sender, requests(services), {
    ended: (end) => meter.webhookEnded(end),
    unsendable: (delivery, error) =>
      logger.error({ delivery, err: error }, "no message can be made of a delivery"),
    disabled: (endpoint) => logger.error(endpoint, "disabled an endpoint of webhooks"),
    failed,
  });
  const look = ({ isOfEndpoint }: { readonly isOfEndpoint: boolean }): void =>
    dispatcher.look({ atEndpoints: isOfEndpoint });
  services.changes.on("committed", look);
  return {
    drain: async () => {
      services.changes.off("committed", look);
      await dispatcher.drain();
      await sender.close();
    },
  };
}

/** The request that sends a delivery; a fault if its event is gone, or no key opens the secret of its endpoint. */
const requests =
  ({ endpoints, orders, subscriptionTokens }: Pick<Services, MessageParts>) =>
  (delivery: ClaimedDelivery): WebhookRequest | NoRequest => {
    const { url, secret, previousSecret, includeLookup } = delivery;
    const { type, at, data, subjectId } = delivery;
    if (type === null) return { fault: "event is gone", isFinal: true };
    const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
    const secrets = endpoints.secretsOf(sealed);
    if (!secrets) {
      return { fault: "DATA_SECRET does not open the secret of this endpoint", isFinal: false };
    }
    if (!isRecord(data)) throw new Error("The data of the event is no object");
    const isPlaced = includeLookup && type === "order.placed" && subjectId !== null;
    const createdAt = new Date(String(data["createdAt"]));
    const lookup = isPlaced ? { lookup: orders.lookupOf({ id: subjectId, createdAt }) } : {};
    const revealed = subscriptionTokens.reveal({ type, at, data });
    const body = webhookBody({ type, at, data: { ...revealed, ...lookup } });
    const id = publicId({ id: delivery.eventId, at });
    return {
      url,
      body,
      headers: signatureHeaders(secrets, { id, timestamp: new Date(), body }),
    };
  };

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === "object" && data !== null && !Array.isArray(data);
