import { randomBytes, randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { ADMIN_SETTINGS, createEndpoint, signIn } from "../../support/administrator.mjs";
import { call } from "../../support/http.mjs";
import { Clients } from "../../support/load.mjs";
import { newOrder, OrderClients, place } from "../../support/orders.mjs";
import { until } from "../../support/processes.mjs";
import { EVENT_ID, HANGS, IS_LATE, Receiver, REFUSES, TAKES } from "../../support/receiver.mjs";
import { duration, seen } from "../../support/report.mjs";
import { DISPATCHER, freePort, Service } from "../../support/service.mjs";
import { median, p99 } from "../../support/statistics.mjs";

const CLIENTS = 4;

/** Milliseconds between the orders of a client. */
const REST = 100;
const [TOLD_WITHIN, LIMIT] = [300, 60_000];

/** Hangs and late answers keep a place for 15 s each, so they are rarer than refusals. */
const DEEDS = { [REFUSES]: 0.3, [HANGS]: 0.003, [IS_LATE]: 0.003 };

/** What addresses that are erased end with. */
const ERASED = "@erased.example";
const ERASE = "mutation ($email: String!) { eraseCustomer(email: $email) { tombstone } }";

export const title = "Whatever is killed, a failing receiver is told everything, in order";

export async function run(stage, { short }) {
  await stage.set();
  const shop = await new Shop(stage).start();
  const receiver = await Receiver.start(stage.cleanup);
  const steady = await shop.createEndpoint(receiver, "steady");
  const promptness = await tellDuringOpenTransaction(shop, receiver, short ? 10_000 : 60_000);

  receiver.deed = (endpoint) => (endpoint === "failing" ? anyDeed() : TAKES);
  const failing = await shop.createEndpoint(receiver, "failing");
  const orders = new OrderClients(shop.url, stage.products, CLIENTS, { rest: REST });
  const others = [eraseCustomers(shop), switchProducts(shop), rollBack(shop)];
  for (let kill = 1; kill <= (short ? 6 : 50); kill += 1) {
    await setTimeout(randomInt(300, 1_500));
    await shop.kill(["service", "dispatcher", "both"][kill % 3]);
  }
  // Orders first: one of a product that is off waits until it is switched on again.
  for (const clients of [orders, ...others]) await clients.stop();
  const started = performance.now();
  await shop.drained(short ? 180_000 : 600_000);
  return [
    ...promptness,
    seen(`nothing waits ${duration(performance.now() - started)} after the last change`),
    ...(await stage.audit(orders.acknowledged)),
    ...(await eventFindings(shop)),
    ...(await toldFindings(shop, receiver, { steady, failing })),
  ];
}

function anyDeed() {
  let number = Math.random();
  return Object.keys(DEEDS).find((deed) => (number -= DEEDS[deed]) < 0) ?? TAKES;
}

/** The service and a dispatcher on one database, as processes that can be killed. */
class Shop {
  settings = {
    ...{ ...ADMIN_SETTINGS, JWT_TTL: "86400", WEBHOOK_PRIVATE_ADDRESSES: "on" },
    DATA_SECRET: randomBytes(32).toString("hex"),
  };

  constructor(stage) {
    this.stage = stage;
  }

  async start() {
    this.port = await freePort();
    await this.#startService();
    await this.#startDispatcher();
    this.url = this.service.url;
    this.headers = await signIn(this.url);
    return this;
  }

  async #startService() {
    this.service = await this.stage.start({ settings: this.settings });
  }

  async #startDispatcher() {
    const { port, stage } = this;
    const settings = { ...this.settings, LOG_LEVEL: "info" };
    const options = { databaseUrl: stage.databaseUrl, port, settings, program: DISPATCHER };
    this.dispatcher = new Service(options, stage.cleanup);
    await this.dispatcher.says("dispatching");
  }

  /** Kills the "service", the "dispatcher" or "both", and starts it again. */
  async kill(what) {
    await Promise.all([
      what !== "dispatcher" && this.service.stop("SIGKILL").then(() => this.#startService()),
      what !== "service" && this.dispatcher.stop("SIGKILL").then(() => this.#startDispatcher()),
    ]);
  }

  /** Sends a request of the administrator. */
  send(method, path, json, agent) {
    return call(this.url, { method, path, headers: this.headers, json, agent });
  }

  async connect() {
    const client = new pg.Client({ connectionString: this.stage.databaseUrl });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  /** Returns the id of the last event before it. */
  async createEndpoint(receiver, name) {
    const [{ last }] = await this.stage.sql("SELECT max(id) AS last FROM events");
    receiver.trust(name, await createEndpoint(this.url, this.headers, receiver.urlOf(name)));
    return last;
  }

  /** Resolves when no delivery waits. Tries that are minutes or hours away come now; leases, of a minute, are left alone. */
  drained(limit) {
    const isDrained = async () => {
      await this.stage.sql(
        `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id IN (
           SELECT id FROM webhook_deliveries
           WHERE state = 'WAITING' AND next_attempt_at > now() + interval '65 seconds' FOR UPDATE SKIP LOCKED)`,
      );
      const waiting = await this.stage.sql(
        "SELECT FROM webhook_deliveries WHERE state = 'WAITING' LIMIT 1",
      );
      if (waiting.length > 0) await setTimeout(250);
      return waiting.length === 0;
    };
    return until(isDrained, limit, "The end of all deliveries");
  }
}

/** An administrator switches products on and off, one after another. */
function switchProducts(shop) {
  let n = 0;
  return new Clients(1, async (agent) => {
    const path = `/products/${shop.stage.products[n % 8]}/status`;
    await shop.send("PATCH", path, { isActive: n % 3 !== 0 }, agent);
    n += 1;
    await setTimeout(20);
  });
}

/** Changes of products that are rolled back. */
function rollBack(shop) {
  const connected = shop.connect();
  let n = 0;
  const clients = new Clients(1, async () => {
    const client = await connected;
    await client.query("BEGIN");
    await client.query("UPDATE products SET name = $1 WHERE id = $2", [
      `Rolled back ${n}`,
      shop.stage.products[8 + (n % 8)],
    ]);
    await client.query("ROLLBACK");
    n += 1;
    await setTimeout(20);
  });
  return { stop: () => clients.stop().then(async () => (await connected).end()) };
}

/** Customers order, and are erased. */
function eraseCustomers(shop) {
  return new Clients(1, async (agent) => {
    const { key, json: ordered } = newOrder(shop.stage.products);
    const email = `${key}${ERASED}`;
    const order = { key, json: { ...ordered, customerEmail: email } };
    const isPlaced = async () => (await place(shop.url, order, agent)).status === 201;
    await until(isPlaced, LIMIT, "An order");
    const json = { query: ERASE, variables: { email } };
    const isErased = async () => {
      const { text } = await shop.send("POST", "/graphql", json, agent);
      return text?.startsWith('{"data":{"eraseCustomer":{');
    };
    await until(isErased, LIMIT, "An erasure");
    await setTimeout(REST);
  });
}

/** Orders while a transaction has changed a product and stays open. */
async function tellDuringOpenTransaction(shop, receiver, lasting) {
  const { stage, url } = shop;
  const client = await shop.connect();
  await client.query("SET idle_in_transaction_session_timeout = 0");
  await client.query("BEGIN");
  const last = stage.products.at(-1);
  await client.query("UPDATE products SET name = 'Held open' WHERE id = $1", [last]);
  const clients = new OrderClients(url, stage.products.slice(0, -1), 2, { rest: REST });
  await setTimeout(lasting);
  await clients.stop();
  await setTimeout(2_000);
  const held = () => receiver.messages.find(({ data }) => data.name === "Held open");
  const wasEarly = held() !== undefined;
  await client.query("COMMIT");
  const committed = Date.now();
  await client.end();
  await until(held, 10_000, "The event of the transaction that was open");
  // An event has its time before its commit, so this is more than the time from there.
  const times = receiver
    .of("steady")
    .filter(({ type }) => type === "order.placed")
    .map((message) => message.at - Date.parse(message.data.createdAt));
  const placed = clients.acknowledged.length;
  return [
    seen(
      `beside an open transaction, told of ${times.length} of ${placed} orders`,
      times.length === placed,
    ),
    seen(
      `from an order to its receiver: median ${duration(median(times))}, p99 ${duration(p99(times))}`,
      p99(times) <= TOLD_WITHIN,
    ),
    seen(`the open one's event ${duration(held().at - committed)} after its commit`, !wasEarly),
  ];
}

/** Whether each subject has an event for each version, up to its own, and none has an erased address. */
async function eventFindings({ stage }) {
  const [{ events, gaps }] = await stage.sql(
    `SELECT sum(events)::int AS events, count(*) FILTER (WHERE last - first + 1 <> events)::int AS gaps FROM (
       SELECT count(*) AS events, min(version) AS first, max(version) AS last
       FROM events WHERE subject_id IS NOT NULL GROUP BY subject, subject_id) AS subjects`,
  );
  const [{ behind }] = await stage.sql(
    `SELECT count(*)::int AS behind FROM (
       SELECT version = (SELECT max(version) FROM events WHERE (subject, subject_id) = ('ORDER', orders.id)) AS told
       FROM orders WHERE customer_email LIKE '%@torture.example'
       UNION ALL
       SELECT version = (SELECT max(version) FROM events WHERE (subject, subject_id) = ('PRODUCT', products.id))
       FROM products) AS subjects WHERE told IS NOT TRUE AND told IS NOT NULL`,
  );
  const [{ erased, left }] = await stage.sql(
    `SELECT (SELECT count(*)::int FROM orders WHERE customer_email LIKE 'erased-%@erased.invalid') AS erased,
       (SELECT count(*)::int FROM orders WHERE customer_email LIKE '%' || $1) +
       (SELECT count(*)::int FROM events WHERE data::text LIKE '%' || $1 || '%') AS left`,
    [ERASED],
  );
  return [
    seen(`${events} events; subjects with gaps ${gaps}`, gaps === 0),
    seen(`subjects whose last version is not told ${behind}`, behind === 0),
    seen(
      `customers erased ${erased}, their addresses in orders and events ${left}`,
      erased > 0 && left === 0,
    ),
  ];
}

/**
 * Compares what each endpoint was told with the events.
 *
 * @param endpoints by name, the last event before there was the endpoint
 */
async function toldFindings({ stage }, receiver, endpoints) {
  const events = await stage.sql(
    `SELECT id AS number, ${EVENT_ID} AS id FROM events WHERE subject IS NOT NULL`,
  );
  const given = await stage.sql("SELECT FROM webhook_deliveries WHERE state = 'GIVEN_UP'");
  const rolledBack = receiver.messages.filter(({ data }) => data.name?.startsWith("Rolled back"));
  const findings = [
    seen(`given up ${given.length}`, given.length === 0),
    seen(`wrong signatures ${receiver.wrongSignatures}`, receiver.wrongSignatures === 0),
    seen(`events of rolled-back changes ${rolledBack.length}`, rolledBack.length === 0),
  ];
  for (const [endpoint, last] of Object.entries(endpoints)) {
    const messages = receiver.of(endpoint);
    const taken = new Set(messages.filter((each) => each.taken).map(({ id }) => id));
    const lost = events.filter(({ number, id }) => number > last && !taken.has(id)).length;
    const newest = new Map();
    let inversions = 0;
    for (const { subject, version, data } of messages) {
      if (version < (newest.get(subject)?.version ?? 0)) inversions += 1;
      newest.set(subject, { version, data });
    }
    const remembered = [...newest.values()].filter(({ data }) =>
      data.customerEmail?.endsWith(ERASED),
    );
    findings.push(
      seen(`${endpoint}: ${messages.length} calls, ${taken.size} events taken`, taken.size > 0),
      seen(`lost ${lost}`, lost === 0),
      seen(`inversions ${inversions}`, inversions === 0),
      seen(`last told an erased address ${remembered.length}`, remembered.length === 0),
    );
  }
  return findings;
}
