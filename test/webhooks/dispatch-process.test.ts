/** @check */
import type { ServerResponse } from "node:http";
import { createEmptyDatabase } from "../support/database";
import { startApp, type TestApp } from "../support/app";
import { builtRelease } from "../support/built-release";
import { eventually } from "../support/eventually";
import { parsedLog } from "../support/log-lines";
import { sendJson } from "../support/raw-http";
import { spawnService, startService } from "../support/service";
import { spawnDispatcher, startDispatcher } from "./dispatcher";
import { makeEndpoint, sendTest } from "./endpoint";
import { closeReceivers, startReceiver, type Receiver } from "./receiver";

jest.setTimeout(60_000);

let app: TestApp;
let productId: number;
beforeEach(async () => {
  app = await startApp();
  productId = (await app.make.product()).id;
});
afterEach(async () => {
  await closeReceivers();
  await app.close();
});

/** The settings by which other processes share the secrets of the app. */
const shared = (): Record<string, string> => ({ JWT_SECRET: app.settings.tokens.secret });

interface Message {
  readonly type: string;
  readonly data: { readonly id: number; readonly version: number };
}

const messagesOf = ({ requests }: Receiver): Message[] =>
  requests.map(({ body }) => JSON.parse(body) as Message);

interface StoredDelivery {
  readonly state: string;
  readonly attempts: number;
  readonly tries: readonly unknown[];
  readonly isDue: boolean;
}

const deliveries = (): Promise<StoredDelivery[]> =>
  app.sql(
    `SELECT state, attempts, tries, coalesce(next_attempt_at <= now(), false) AS "isDue"
     FROM webhook_deliveries ORDER BY id`,
  );

test("two dispatchers beside a service that sends none deliver everything, and each order's changes in order", async () => {
  const receiver = await startReceiver();
  await makeEndpoint(app, receiver.url, { types: ["order.placed", "order.status_changed"] });
  const service = await startService(app.database.url, { ...shared(), DISPATCH: "off" });
  const ids: number[] = [];
  const placeAndPay = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      const order = { customerEmail: "ada@example.com", items: [{ productId, quantity: 1 }] };
      const placed = await sendJson(service.url, "POST", "/orders", JSON.stringify(order));
      expect(placed.status).toBe(201);
      const { id } = placed.body as { id: number };
      ids.push(id);
      for (const status of ["PAID", "CANCELLED"]) {
        const changed = JSON.stringify({
          query: `mutation { setOrderStatus(id: ${id}, status: ${status}) { id } }`,
        });
        await sendJson(service.url, "POST", "/graphql", changed, { authorization: app.asAdmin });
      }
    }
  };
  await placeAndPay(10);
  const first = spawnDispatcher(app.database.url, { ...shared(), DISPATCH: "off" });
  await first.prints(/"msg":"starting"/);
  // The service had time enough.
  expect(receiver.requests).toEqual([]);
  const second = await startDispatcher(app.database.url, shared());
  await first.prints(/"msg":"dispatching"/);
  const placing = placeAndPay(20);
  await eventually(() => receiver.requests.length > 30);
  first.signal("SIGTERM");
  expect(await first.ended).toEqual({ code: 0, signal: null });
  await placing;
  await eventually(async () => (await deliveries()).every(({ state }) => state === "DELIVERED"));
  second.signal("SIGINT");
  expect(await second.ended).toEqual({ code: 0, signal: null });
  const messages = messagesOf(receiver);
  for (const id of ids) {
    const versions = messages.filter(({ data }) => data.id === id).map(({ data }) => data.version);
    expect([id, versions]).toEqual([id, [1, 2, 3]]);
  }
  const log = parsedLog(first.printed("stdout").trim().split("\n"));
  // A clone of a database has no settings of the role, of which it warns as the service does.
  expect(log.filter(({ level }) => level !== "warn")).toEqual([
    expect.objectContaining({ msg: "starting", node: process.version, ...builtRelease() }),
    expect.objectContaining({ level: "info", msg: "dispatching", pid: first.pid }),
    expect.objectContaining({ level: "info", msg: "draining" }),
  ]);
  expect(first.printed("stderr")).toBe("");
});

test("a receiver that hangs holds up the end only for a while, and others send what it got", async () => {
  const hanging: ServerResponse[] = [];
  const receiver = await startReceiver((response) => {
    if (hanging.length > 0) response.end();
    else hanging.push(response);
  });
  const endpoint = await makeEndpoint(app, receiver.url);
  const dispatcher = await startDispatcher(app.database.url, shared());
  await sendTest(app, endpoint);
  await eventually(() => hanging.length > 0);
  dispatcher.signal("SIGTERM");
  expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
  // It neither waited for the time-out, which is a try, nor leaves the delivery to its lease.
  expect(await deliveries()).toEqual([{ state: "WAITING", attempts: 0, tries: [], isDue: true }]);
  await startDispatcher(app.database.url, shared());
  await eventually(async () => (await deliveries())[0]!.state === "DELIVERED");
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(1);
});

test("serves metrics where it is told to", async () => {
  const dispatcher = await startDispatcher(app.database.url, {
    ...shared(),
    METRICS: "127.0.0.1:0",
  });
  const [match] = await dispatcher.prints(/"address":"([^"]+)","msg":"serving metrics"/);
  const claims = 'tea_database_statement_duration_seconds_count{statement="claim deliveries"}';
  await eventually(async () =>
    (await (await fetch(`${match![1]!}/metrics`)).text()).includes(claims),
  );
});

describe("does not start", () => {
  test("without the settings of the service", async () => {
    const dispatcher = spawnDispatcher("", { JWT_SECRET: "" });
    expect(await dispatcher.ended).toEqual({ code: 1, signal: null });
    expect(dispatcher.printed("stderr")).toMatch(/DATABASE_URL [^]*JWT_SECRET /);
  });

  test("on pending migrations", async () => {
    const database = await createEmptyDatabase();
    const dispatcher = spawnDispatcher(database.url);
    expect(await dispatcher.ended).toEqual({ code: 1, signal: null });
    expect(dispatcher.printed("stderr")).toContain("001-extensions-and-role");
    await database.drop();
  });

  test.each([
    ["a dispatcher", spawnDispatcher],
    ["a service", spawnService],
  ])("on secrets that no key opens, and says so: %s", async (_label, spawn) => {
    const { id } = await makeEndpoint(app, "https://shop.example.com/");
    const child = spawn(app.database.url, { DATA_SECRET: "another one, which has opened nothing" });
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.printed("stderr")).toBe(
      `The secrets of 1 row can't be decrypted: webhook endpoint ${id}. ` +
        "They were encrypted under another DATA_SECRET: add that to DATA_PREVIOUS_SECRETS. " +
        "If there was none then, add the JWT_SECRET of then to JWT_PREVIOUS_SECRETS. " +
        "If it is lost, run: node dist/cli/main.js secrets renew --replace-lost\n",
    );
  });
});

test("a delivery of which no message can be made counts as tried, and neither the process nor others notice", async () => {
  const receiver = await startReceiver();
  const input = { types: ["order.placed", "category.created"], includeLookup: true };
  await makeEndpoint(app, receiver.url, input);
  // Odd times may be older than the check.
  await app.sql("ALTER TABLE orders DROP CONSTRAINT orders_times");
  const odd: Record<string, string> = {
    "an order that was deleted":
      "DELETE FROM order_items WHERE order_id = $; DELETE FROM orders WHERE id = $",
    "a time without end": "UPDATE orders SET created_at = 'infinity' WHERE id = $",
    "a year of five digits": "UPDATE orders SET created_at = '10000-01-01' WHERE id = $",
    "a text instead of data": `UPDATE events SET data = '"tea"' WHERE subject = 'ORDER' AND subject_id = $`,
    "a list instead of data": `UPDATE events SET data = '[1]' WHERE subject = 'ORDER' AND subject_id = $`,
  };
  const ids = new Map<string, number>();
  for (const [what, statements] of Object.entries(odd)) {
    const { id } = await app.make.order();
    ids.set(what, id);
    // While triggers are off, so that the event does not follow.
    await app.sql(
      `DO $$ BEGIN SET LOCAL session_replication_role = replica; ${statements.replaceAll(/\$/g, String(id))}; END $$`,
    );
  }
  const dispatcher = await startDispatcher(app.database.url, shared());
  const tried = await eventually(async () => {
    const rows = await app.sql<{ id: number; order: number; tries: object[]; attempts: number }>(
      `SELECT id, subject_id AS "order", attempts, tries FROM webhook_deliveries
       WHERE subject = 'ORDER' ORDER BY id`,
    );
    return rows.every(({ attempts }) => attempts > 0) && rows;
  });
  expect(tried.map(({ order }) => order)).toEqual([...ids.values()]);
  for (const { tries } of tried) {
    expect(tries).toMatchObject([
      { status: null, fault: "no message can be made of the event", answer: "" },
    ]);
  }
  await app.make.category();
  await eventually(() => receiver.requests.length === 1);
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ type: "category.created" });
  dispatcher.signal("SIGTERM");
  expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
  const lines = parsedLog(dispatcher.printed("stdout").trim().split("\n"));
  const errors = lines.filter(({ level }) => level === "error");
  expect(errors.map(({ msg, err, delivery }) => [msg, err !== undefined, delivery])).toEqual(
    tried.map(({ id }) => ["no message can be made of a delivery", true, id]),
  );
});
