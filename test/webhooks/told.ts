import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { dataOf } from "../graphql/client";
import { useApp, type Overrides, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { makeEndpoint, type EndpointInput } from "./endpoint";
import { closeReceivers, startReceiver } from "./receiver";

/** A message that an endpoint has got, whose signature was right. */
export interface Message {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** How many signatures it had. */
  readonly signatures: number;
}

/** An endpoint with a receiver of its own. */
export interface ToldEndpoint {
  readonly id: number;
  readonly secret: string;
  readonly url: string;
  /** All messages so far, also those that were refused. */
  readonly messages: readonly Message[];
  /** Answers messages from now on; at first, with 204. */
  answer: (response: ServerResponse, message: Message) => unknown;
  /** Resolves when `done` holds for the messages. */
  until(done: (messages: readonly Message[]) => boolean): Promise<void>;
}

/** A shop that sends webhooks to this machine. After each test its endpoints are gone. */
export function useDispatchingApp(overrides: Overrides = {}): TestApp {
  const app = useApp({ webhooks: { privateAddresses: "loopback" }, ...overrides });
  beforeAll(() => app.shop.startDispatching());
  afterEach(async () => {
    await app.sql("DELETE FROM webhook_endpoints");
    await app.sql("DELETE FROM webhook_deliveries");
    await closeReceivers();
  });
  return app;
}

/** Creates an endpoint for a new receiver. */
export async function createEndpoint(
  app: TestApp,
  input: EndpointInput = {},
): Promise<ToldEndpoint> {
  const messages: Message[] = [];
  const came = new EventEmitter();
  const endpoint: Partial<ToldEndpoint> = {};
  const { url } = await startReceiver((response, { body, headers }) => {
    const signed = headers as Record<string, string>;
    // It throws if the signature is wrong, and the receiver never answers.
    const sent = new Webhook(endpoint.secret!).verify(body, signed) as Omit<Message, "id">;
    const signatures = signed["webhook-signature"]!.split(" ").length;
    const message = { ...sent, id: signed["webhook-id"]!, signatures };
    messages.push(message);
    endpoint.answer!(response, message);
    came.emit("message");
  });
  const created = await makeEndpoint(app, url, input);
  return Object.assign(endpoint, {
    ...{ ...created, url, messages },
    answer: (response: ServerResponse) => response.writeHead(204).end(),
    until: async (done: (messages: readonly Message[]) => boolean) => {
      while (!done(messages)) await once(came, "message");
    },
  });
}

/** A delivery as GraphQL shows it. */
export interface Delivery {
  readonly id: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly version: number;
    readonly subjectId: number | null;
  };
  readonly state: string;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly tries: readonly {
    readonly at: string;
    readonly status: number | null;
    readonly fault: string | null;
    readonly answer: string;
  }[];
}

export const DELIVERY = `id event { id type version subjectId } state attempts nextAttemptAt
  tries { at status fault answer }`;

/** The deliveries of an endpoint, oldest first, 50 at most. */
export async function deliveriesOf(app: TestApp, id: number, state?: string): Promise<Delivery[]> {
  const document = `query ($id: Int!, $state: DeliveryState) {
    webhookEndpoint(id: $id) { deliveries(first: 50, state: $state) { edges { node { ${DELIVERY} } } } }
  }`;
  const { webhookEndpoint } = await dataOf<{
    webhookEndpoint: { deliveries: { edges: { node: Delivery }[] } };
  }>(app, document, { id, state });
  return webhookEndpoint.deliveries.edges.map(({ node }) => node).reverse();
}

/** The newest delivery of an endpoint, once it has been tried so often. */
export const tried = (app: TestApp, { id }: { readonly id: number }, times: number) =>
  eventually(async () => {
    const delivery = (await deliveriesOf(app, id)).at(-1);
    return delivery?.tries.length === times && delivery;
  });

/** Changes an endpoint: `isActive: false`. */
export const setEndpoint = (app: TestApp, { id }: { readonly id: number }, input: string) =>
  dataOf(app, `mutation { updateWebhookEndpoint(id: ${id}, input: { ${input} }) { id } }`);

/** Answers that a receiver has failed. */
export const refuse = (response: ServerResponse): unknown => response.writeHead(500).end("no");

/** Lets the next tries come now. What is being sent has its lease, which ends within the next minute. */
export const hurry = (app: TestApp) =>
  app.sql(
    `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE state = 'WAITING' AND next_attempt_at > now()
         AND next_attempt_at NOT BETWEEN now() + interval '20 seconds' AND now() + interval '70 seconds'
       FOR UPDATE SKIP LOCKED)`,
  );

/** A message in short, such as `product.updated 3`. */
export const brief = ({ type, data }: Message): string => `${type} ${String(data["version"])}`;
