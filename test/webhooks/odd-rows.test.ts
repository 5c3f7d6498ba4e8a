import { dataOf } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { eventually } from "../support/eventually";
import { parsedLog } from "../support/log-lines";
import { startDispatcher } from "./dispatcher";
import { makeEndpoint } from "./endpoint";
import { closeReceivers, startReceiver } from "./receiver";
import { createEndpoint, deliveriesOf, useDispatchingApp } from "./told";

jest.setTimeout(60_000);

const FAULT = "no message can be made of the event";

describe("a delivery of which no message can be made", () => {
  let own: TestApp;
  beforeEach(async () => {
    own = await startApp();
    // Odd times may be older than the check.
    await own.sql("ALTER TABLE orders DROP CONSTRAINT orders_times");
  });
  afterEach(async () => {
    await closeReceivers();
    await own.close();
  });

  test.each<[string, string]>([
    ["an order that was deleted", "DELETE FROM order_items; DELETE FROM orders"],
    ["a time without end", "UPDATE orders SET created_at = 'infinity'"],
    ["a year of five digits", "UPDATE orders SET created_at = '10000-01-01'"],
    ["a text instead of data", `UPDATE events SET data = '"tea"' WHERE type = 'order.placed'`],
    ["a list instead of data", `UPDATE events SET data = '[1]' WHERE type = 'order.placed'`],
  ])("counts as tried, and neither the process nor others notice: %s", async (_, statement) => {
    const receiver = await startReceiver();
    await makeEndpoint(own, receiver.url, {
      types: ["order.placed", "category.created"],
      includeLookup: true,
    });
    await own.make.order();
    // While triggers are off, so that the event does not follow.
    await own.sql(`DO $$ BEGIN SET LOCAL session_replication_role = replica; ${statement}; END $$`);
    const dispatcher = await startDispatcher(own.database.url, {
      JWT_SECRET: own.settings.tokens.secret,
    });
    const [odd] = await eventually(async () => {
      const tried = await own.sql<{ id: number; attempts: number; tries: object[] }>(
        "SELECT id, attempts, tries FROM webhook_deliveries WHERE subject = 'ORDER'",
      );
      return tried[0]?.attempts === 1 && tried;
    });
    expect(odd!.tries).toMatchObject([{ status: null, fault: FAULT, answer: "" }]);
    await own.make.category();
    await eventually(() => receiver.requests.length === 1);
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ type: "category.created" });
    dispatcher.signal("SIGTERM");
    expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
    const lines = parsedLog(dispatcher.printed("stdout").trim().split("\n"));
    expect(lines.filter(({ level }) => level === "error")).toEqual([
      expect.objectContaining({
        msg: "no message can be made of a delivery",
        delivery: odd!.id,
        err: expect.anything(),
      }),
    ]);
  });
});

describe("in a running shop", () => {
  const app = useDispatchingApp();

  const stored = (id: number) =>
    app.sql<{ state: string; tries: { fault: string | null }[] }>(
      "SELECT state, tries FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id",
      [id],
    );

  clause(
    "10.webhooks.tries",
    "a delivery whose event was deleted ends, and its subject goes on",
    { doors: ["GraphQL"] },
    async () => {
      const endpoint = await createEndpoint(app, { types: ["product.updated"] });
      const { id } = await app.make.product();
      await app.sql(
        `WITH changed AS (UPDATE products SET price = 2 WHERE id = $1 RETURNING id) SELECT FROM changed`,
        [id],
      );
      await endpoint.until(({ length }) => length === 1);
      await eventually(async () => (await stored(endpoint.id))[0]?.state === "DELIVERED");
      // In one transaction, so that it is never there to be sent.
      await app.sql(`DO $$ BEGIN
        UPDATE products SET price = 3 WHERE id = ${id};
        DELETE FROM events WHERE subject = 'PRODUCT' AND subject_id = ${id} AND version = 3;
      END $$`);
      await app.sql("UPDATE products SET price = 4 WHERE id = $1", [id]);
      await endpoint.until(({ length }) => length === 2);
      expect(endpoint.messages.map(({ data }) => data["version"])).toEqual([2, 4]);
      const [, gone] = await stored(endpoint.id);
      expect(gone).toMatchObject({ state: "GIVEN_UP", tries: [{ fault: "event is gone" }] });
      const { webhookEndpoint } = await dataOf<{
        webhookEndpoint: { failingSince: string | null };
      }>(app, `{ webhookEndpoint(id: ${endpoint.id}) { failingSince } }`);
      expect(webhookEndpoint.failingSince).toBeNull();
    },
  );

  clause(
    "10.webhooks.tries",
    "the last 50 tries of a delivery are kept",
    { doors: ["GraphQL"] },
    async () => {
      const endpoint = await createEndpoint(app, { types: ["category.created"] });
      await app.make.category();
      await eventually(async () => (await stored(endpoint.id))[0]?.state === "DELIVERED");
      await app.sql(
        `UPDATE webhook_deliveries SET attempts = 60, attempts_before = 60, state = 'WAITING', ended_at = NULL,
           next_attempt_at = now(), tries = (
             SELECT jsonb_agg(jsonb_build_object('at', now(), 'status', 500 + n, 'fault', NULL, 'answer', ''))
             FROM generate_series(1, 60) AS n)
         WHERE endpoint_id = $1`,
        [endpoint.id],
      );
      await endpoint.until(({ length }) => length === 2);
      const [delivery] = await eventually(async () => {
        const delivered = await deliveriesOf(app, endpoint.id, "DELIVERED");
        return delivered.length === 1 && delivered;
      });
      expect(delivery).toMatchObject({ attempts: 61 });
      expect(delivery!.tries.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 49 }, (_, index) => 512 + index),
        204,
      ]);
    },
  );
});
