import type { ServerResponse } from "node:http";
import { Dispatcher } from "../../src/webhooks/dispatcher";
import { WebhookSender } from "../../src/webhooks/sender";
import { dataOf } from "../graphql/client";
import { erase } from "../record/customers";
import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { makeEndpoint } from "./endpoint";
import { closeReceivers, startReceiver } from "./receiver";
import {
  createEndpoint,
  deliveriesOf,
  setEndpoint,
  tried,
  useDispatchingApp,
  type ToldEndpoint,
} from "./told";

jest.setTimeout(60_000);

const CONNECTIONS = 4;
const ORDERS = 12;
const email = "grace@example.com";

/** An endpoint whose receiver answers nothing until it is told to, and the answers that it holds. */
async function busyEndpoint(
  app: ReturnType<typeof useDispatchingApp>,
): Promise<{ endpoint: ToldEndpoint; answerAll: () => void }> {
  const endpoint = await createEndpoint(app, { types: ["order.placed"], includeLookup: true });
  const held: ServerResponse[] = [];
  endpoint.answer = (response) => held.push(response);
  for (let placed = 0; placed < ORDERS; placed += 1) {
    await app.make.order({ customer_email: email });
  }
  await endpoint.until(({ length }) => length === CONNECTIONS);
  return {
    endpoint,
    answerAll: () => {
      endpoint.answer = (response) => response.writeHead(204).end();
      for (const response of held) response.writeHead(204).end();
    },
  };
}

describe("while a receiver takes its time", () => {
  const app = useDispatchingApp();

  graphqlClause("10.webhooks.tries", "no more is claimed than is sent at once", async () => {
    const { endpoint, answerAll } = await busyEndpoint(app);
    // Later messages to others show that the dispatcher has looked for more.
    const other = await createEndpoint(app, { types: ["category.created"] });
    await app.make.category();
    await other.until(({ length }) => length === 1);
    const [row] = await app.sql<{ claimed: number }>(
      `SELECT count(*)::integer AS claimed FROM webhook_deliveries
         WHERE endpoint_id = $1 AND next_attempt_at > now()`,
      [endpoint.id],
    );
    expect(row!.claimed).toBe(CONNECTIONS);
    answerAll();
    const delivered = await eventually(async () => {
      const all = await deliveriesOf(app, endpoint.id, "DELIVERED");
      return all.length === ORDERS && all;
    });
    expect(delivered.map(({ attempts }) => attempts)).toEqual(delivered.map(() => 1));
    expect(new Set(endpoint.messages.map(({ id }) => id)).size).toBe(ORDERS);
    expect(endpoint.messages).toHaveLength(ORDERS);
  });

  graphqlClause("10.webhooks.erased", "nothing has the address after its erasure", async () => {
    const { endpoint, answerAll } = await busyEndpoint(app);
    const { tombstone } = await erase(app, email);
    const sent = endpoint.messages.length;
    answerAll();
    await endpoint.until(({ length }) => length >= ORDERS);
    const later = endpoint.messages.slice(sent).map(({ data }) => data["customerEmail"]);
    expect(later).toEqual(later.map(() => tombstone));
    expect(sent).toBe(CONNECTIONS);
  });

  graphqlClauseEach<(endpoint: ToldEndpoint) => Promise<unknown>>(
    "10.webhooks.changed",
    "nothing is sent as it was before, once this is answered",
    {
      "another URL": async (endpoint) =>
        setEndpoint(app, endpoint, `url: "${(await startReceiver()).url}"`),
      "made inactive": (endpoint) => setEndpoint(app, endpoint, "isActive: false"),
      deleted: ({ id }) => dataOf(app, `mutation { deleteWebhookEndpoint(id: ${id}) { id } }`),
    },
    async (change) => {
      const { endpoint, answerAll } = await busyEndpoint(app);
      await change(endpoint);
      const sent = endpoint.messages.length;
      answerAll();
      // What comes later to another endpoint shows that there was time enough.
      const other = await createEndpoint(app, { types: ["category.created"] });
      for (let made = 1; made <= 3; made += 1) {
        await app.make.category();
        await other.until(({ length }) => length === made);
      }
      expect(sent).toBe(CONNECTIONS);
      expect(endpoint.messages).toHaveLength(sent);
    },
  );

  graphqlClause("10.webhooks.changed", "no lookup is sent after it was switched off", async () => {
    const { endpoint, answerAll } = await busyEndpoint(app);
    await setEndpoint(app, endpoint, "includeLookup: false");
    const sent = endpoint.messages.length;
    answerAll();
    await endpoint.until(({ length }) => length === ORDERS);
    const later = endpoint.messages.slice(sent);
    expect(later.filter(({ data }) => "lookup" in data)).toEqual([]);
    expect(sent).toBe(CONNECTIONS);
  });
});

describe("while a connection opens", () => {
  const app = useApp({ webhooks: { privateAddresses: "loopback" } });
  afterEach(closeReceivers);

  const silent = (): undefined => undefined;
  /** A dispatcher of the shop's deliveries that sends by this sender. */
  const startWith = (sender: Pick<WebhookSender, "send">) =>
    new Dispatcher(
      app.shop.services.deliveryQueue,
      sender,
      ({ url, data }) => ({ url, headers: {}, body: JSON.stringify(data) }),
      { ended: silent, disabled: silent, unsendable: silent, failed: silent },
    );

  graphqlClause("10.webhooks.erased", "an erasure does not wait for it", async () => {
    const { port, requests } = await startReceiver();
    await makeEndpoint(app, `http://receiver.example:${port}/`, { types: ["order.placed"] });
    let found = (): void => undefined;
    const looked = jest.fn();
    const opened = new Promise<void>((resolve) => (found = resolve));
    const lookup = async () => {
      looked();
      await opened;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const sender = new WebhookSender({ privateAddresses: "loopback" }, { lookup });
    const dispatcher = startWith(sender);
    await app.make.order({ customer_email: email });
    await eventually(() => looked.mock.calls.length > 0);
    const { tombstone } = await erase(app, email);
    expect(requests).toEqual([]);
    found();
    await eventually(() => requests.length > 0);
    expect(JSON.parse(requests[0]!.body)).toMatchObject({ customerEmail: tombstone });
    await eventually(async () => {
      const [row] = await app.sql<{ state: string }>("SELECT state FROM webhook_deliveries");
      return row!.state === "DELIVERED";
    });
    const [delivery] = await app.sql("SELECT tries FROM webhook_deliveries");
    expect(delivery).toMatchObject({ tries: [{ status: 200 }] });
    expect(requests).toHaveLength(1);
    await dispatcher.drain();
    await sender.close();
  });

  graphqlClause("10.webhooks.tries", "what is never sent has failed in the end", async () => {
    const endpoint = await makeEndpoint(app, "http://receiver.example/", {
      types: ["category.created"],
    });
    await app.make.category();
    const dispatcher = startWith({ send: () => Promise.resolve(undefined) });
    const delivery = await tried(app, endpoint, 1);
    expect(delivery.tries).toMatchObject([
      { status: null, fault: "no connection opens in time, and stays open" },
    ]);
    await dispatcher.drain();
  });
});
