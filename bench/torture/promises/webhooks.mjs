import { randomBytes, randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { createEndpoint, signIn } from "../../support/administrator.mjs";
import { call, connection } from "../../support/http.mjs";
import { audit, OrderClients } from "../../support/orders.mjs";
import { until } from "../../support/processes.mjs";
import { EVENT_ID, HANGS, IS_LATE, Receiver, REFUSES, TAKES } from "../../support/receiver.mjs";
import { auditFindings, duration, seen } from "../../support/report.mjs";
import { DISPATCHER, freePort, Service } from "../../support/service.mjs";
import { median, p99 } from "../../support/statistics.mjs";

const ADMIN = { email: "admin@torture.example", password: "the right password" };
const CLIENTS = 4;

/** Milliseconds between the orders of a client. */
const REST = 100;
const TOLD_WITHIN = 300;

/** Hangs and late answers keep a place for 15 s each, so they are rarer than refusals. */
const REFUSED = 0.3;
const HANGING = 0.003;
const LATE = 0.003;

export const webhooks = {
  title: "Whatever is killed, a failing receiver is told everything, in order",
  async run(stage, { short }) {
    const kills = short ? 6 : 50;
    const lasting = short ? 10_000 : 60_000;
    await stage.set();
    const shop = await Shop.start(stage);
    const receiver = await Receiver.start(stage.cleanup);
    const steady = await shop.createEndpoint(receiver, "steady");
    const promptness = await tellDuringOpenTransaction(shop, receiver, lasting);

    receiver.deed = (endpoint) => (endpoint === "failing" ? anyDeed() : TAKES);
    const failing = await shop.createEndpoint(receiver, "failing");
    const clients = new OrderClients(shop.url, stage.products, CLIENTS, { rest: REST });
    const changes = new Changes(shop);
    for (let kill = 1; kill <= kills; kill += 1) {
      await setTimeout(randomInt(300, 1_500));
      await shop.kill(["service", "dispatcher", "both"][kill % 3]);
    }
    await clients.stop();
    await changes.stop();
    const drained = await shop.drained(short ? 180_000 : 600_000);
    const { acknowledged } = clients;
    return {
      done: `${promptness.done}; then SIGKILL ${kills} times of the service, of a dispatcher beside it and of both, while ${CLIENTS} clients order, one changes products, and one rolls changes back; the receiver refuses 30 % of calls, hangs at .3 % and answers .3 % after the time-out; tries that are more than a minute away are brought forward`,
      findings: [
        ...promptness.findings,
        ...auditFindings(await audit(stage.postgres, stage.databaseUrl, acknowledged)),
        ...(await shop.versionFindings()),
        ...(await toldFindings(shop, receiver, { steady, failing })),
        seen(`nothing waits ${duration(drained)} after the last change`),
      ],
    };
  },
};

function anyDeed() {
  const number = Math.random();
  if (number < REFUSED) return REFUSES;
  if (number < REFUSED + HANGING) return HANGS;
  return number < REFUSED + HANGING + LATE ? IS_LATE : TAKES;
}

/** The service and a dispatcher on one database, as processes that can be killed. */
class Shop {
  #stage;
  #settings;
  #dispatcherPort;
  #headers;

  static async start(stage) {
    const shop = new Shop();
    shop.#stage = stage;
    shop.#settings = {
      ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, JWT_TTL: "86400" },
      DATA_SECRET: randomBytes(32).toString("hex"),
      WEBHOOK_PRIVATE_ADDRESSES: "on",
    };
    shop.#dispatcherPort = await freePort();
    await shop.#startService();
    await shop.#startDispatcher();
    shop.#headers = await signIn(shop.url, ADMIN);
    return shop;
  }

  get url() {
    return this.service.url;
  }

  get products() {
    return this.#stage.products;
  }

  async #startService() {
    this.service = await this.#stage.start({ settings: this.#settings });
  }

  async #startDispatcher() {
    const { databaseUrl, cleanup } = this.#stage;
    const settings = { ...this.#settings, LOG_LEVEL: "info" };
    const port = this.#dispatcherPort;
    this.dispatcher = new Service({ databaseUrl, port, settings, program: DISPATCHER }, cleanup);
    await this.dispatcher.says("dispatching");
  }

  /** Kills the "service", the "dispatcher" or "both", and starts it again. */
  async kill(what) {
    const kills = [];
    if (what !== "dispatcher") {
      kills.push(this.service.stop("SIGKILL").then(() => this.#startService()));
    }
    if (what !== "service") {
      kills.push(this.dispatcher.stop("SIGKILL").then(() => this.#startDispatcher()));
    }
    await Promise.all(kills);
  }

  sql(text, values) {
    return this.#stage.postgres.sql(this.#stage.databaseUrl, text, values);
  }

  async connect() {
    const client = new pg.Client({ connectionString: this.#stage.databaseUrl });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  /** Returns the id of the last event before it. */
  async createEndpoint(receiver, name) {
    const [{ last }] = await this.sql("SELECT max(id) AS last FROM events");
    receiver.trust(name, await createEndpoint(this.url, this.#headers, receiver.urlOf(name)));
    return last;
  }

  /** Switches a product on or off at REST. */
  switchProduct(id, isActive, agent) {
    const path = `/products/${id}/status`;
    const headers = this.#headers;
    return call(this.url, { method: "PATCH", path, headers, json: { isActive }, agent });
  }

  /** Resolves with the time that passed until nothing waited. */
  async drained(limit) {
    const started = performance.now();
    await until(
      async () => {
        await this.#bringForward();
        const [{ waiting }] = await this.sql(
          "SELECT count(*)::int AS waiting FROM webhook_deliveries WHERE state = 'WAITING'",
        );
        if (waiting > 0) await setTimeout(250);
        return waiting === 0;
      },
      limit,
      "The end of all deliveries",
    );
    return performance.now() - started;
  }

  /** Tries that are minutes or hours away come now. Leases, of a minute, are left alone. */
  #bringForward() {
    return this.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id IN (
         SELECT id FROM webhook_deliveries
         WHERE state = 'WAITING' AND next_attempt_at > now() + interval '65 seconds' FOR UPDATE SKIP LOCKED)`,
    );
  }

  /** Whether each subject has an event for each version, up to its own. */
  async versionFindings() {
    const [{ events, gaps }] = await this.sql(
      `SELECT sum(events)::int AS events, count(*) FILTER (WHERE last - first + 1 <> events)::int AS gaps FROM (
         SELECT count(*) AS events, min(version) AS first, max(version) AS last
         FROM events WHERE subject IS NOT NULL GROUP BY subject, subject_id) AS subjects`,
    );
    const [{ behind }] = await this.sql(
      `SELECT count(*)::int AS behind FROM (
         SELECT version = (SELECT max(version) FROM events WHERE (subject, subject_id) = ('ORDER', orders.id)) AS told
         FROM orders WHERE customer_email LIKE '%@torture.example'
         UNION ALL
         SELECT version = (SELECT max(version) FROM events WHERE (subject, subject_id) = ('PRODUCT', products.id))
         FROM products) AS subjects WHERE told IS NOT TRUE AND told IS NOT NULL`,
    );
    return [
      seen(`${events} events; subjects with gaps ${gaps}`, gaps === 0),
      seen(`subjects whose last version is not told ${behind}`, behind === 0),
    ];
  }
}

/** Changes of products that are made all the time: one after another by an administrator, and some that are rolled back. */
class Changes {
  #stopping = false;
  #running;

  constructor(shop) {
    this.#running = Promise.all([this.#change(shop), this.#rollBack(shop)]);
  }

  async stop() {
    this.#stopping = true;
    await this.#running;
  }

  async #change(shop) {
    const agent = connection();
    for (let n = 0; !this.#stopping; n += 1) {
      await shop.switchProduct(shop.products[n % 8], n % 3 !== 0, agent);
      await setTimeout(20);
    }
    agent.destroy();
  }

  async #rollBack(shop) {
    const client = await shop.connect();
    for (let n = 0; !this.#stopping; n += 1) {
      await client.query("BEGIN");
      await client.query("UPDATE products SET name = $1 WHERE id = $2", [
        `Rolled back ${n}`,
        shop.products[8 + (n % 8)],
      ]);
      await client.query("ROLLBACK");
      await setTimeout(20);
    }
    await client.end();
  }
}

/** Orders while a transaction has changed a product and stays open. */
async function tellDuringOpenTransaction(shop, receiver, lasting) {
  const client = await shop.connect();
  await client.query("SET idle_in_transaction_session_timeout = 0");
  await client.query("BEGIN");
  await client.query("UPDATE products SET name = 'Held open' WHERE id = $1", [
    shop.products.at(-1),
  ]);
  const clients = new OrderClients(shop.url, shop.products.slice(0, -1), 2, { rest: REST });
  await setTimeout(lasting);
  await clients.stop();
  await setTimeout(2_000);
  const held = () => receiver.messages.some(({ data }) => data.name === "Held open");
  const wasEarly = held();
  await client.query("COMMIT");
  const committed = Date.now();
  await client.end();
  await until(held, 10_000, "The event of the transaction that was open");
  const { at } = receiver.messages.find(({ data }) => data.name === "Held open");
  // An event has its time before its commit, so this is more than the time from there.
  const times = receiver
    .of("steady")
    .filter(({ type }) => type === "order.placed")
    .map((message) => message.at - Date.parse(message.data.createdAt));
  const placed = clients.acknowledged.length;
  return {
    done: `orders for ${duration(lasting)} while a transaction that has changed a product stays open`,
    findings: [
      seen(`told of ${times.length} of ${placed} orders meanwhile`, times.length === placed),
      seen(
        `from an order to its receiver: median ${duration(median(times))}, p99 ${duration(p99(times))}`,
        p99(times) <= TOLD_WITHIN,
      ),
      seen(`the open one's event ${duration(at - committed)} after its commit`, !wasEarly),
    ],
  };
}

/**
 * Compares what each endpoint was told with the events.
 *
 * @param endpoints by name, the last event before there was the endpoint
 */
async function toldFindings(shop, receiver, endpoints) {
  const events = await shop.sql(
    `SELECT id AS number, ${EVENT_ID} AS id FROM events WHERE subject IS NOT NULL`,
  );
  const [{ given }] = await shop.sql(
    "SELECT count(*)::int AS given FROM webhook_deliveries WHERE state = 'GIVEN_UP'",
  );
  const findings = [
    seen(`given up ${given}`, given === 0),
    seen(`wrong signatures ${receiver.wrongSignatures}`, receiver.wrongSignatures === 0),
  ];
  const rolledBack = receiver.messages.filter(({ data }) => data.name?.startsWith("Rolled back"));
  findings.push(
    seen(`events of rolled-back changes ${rolledBack.length}`, rolledBack.length === 0),
  );
  for (const [endpoint, last] of Object.entries(endpoints)) {
    const messages = receiver.of(endpoint);
    const taken = new Set(messages.filter((each) => each.taken).map(({ id }) => id));
    const lost = events.filter(({ number, id }) => number > last && !taken.has(id)).length;
    const versions = new Map();
    let inversions = 0;
    for (const { subject, version } of messages) {
      if (version < (versions.get(subject) ?? 0)) inversions += 1;
      versions.set(subject, version);
    }
    findings.push(
      seen(`${endpoint}: ${messages.length} calls, ${taken.size} events taken`, taken.size > 0),
      seen(`lost ${lost}`, lost === 0),
      seen(`inversions ${inversions}`, inversions === 0),
    );
  }
  return findings;
}
