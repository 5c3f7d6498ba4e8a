// Follows "Back up and restore" of docs/operating.md: a dump of a shop in use, restored into a new database,
// with what it leaves out, and a service on it.
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createEndpoint, signIn } from "../../../bench/support/administrator.mjs";
import { OrderClients } from "../../../bench/support/orders.mjs";
import { until } from "../../../bench/support/processes.mjs";
import { EVENT_ID, Receiver, REFUSES, TAKES } from "../../../bench/support/receiver.mjs";
import { part } from "../support/part.mjs";
import { program, ROOT } from "../support/program.mjs";
import { doing, seen, since } from "../support/say.mjs";
import { Release } from "../support/service.mjs";
import { tea } from "../support/tea.mjs";
import { Cluster, isInstalled } from "./cluster.mjs";

/** As in docs/operating.md. */
const LEFT_OUT = ["--exclude-table-data=login_failures"];
const PRODUCTS = "5000";
const ORDERS = "20000";
const CLIENTS = 4;

const ADMIN = { email: "ada@example.com", password: "not a secret at all" };
const settings = {
  ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  DATA_SECRET: "the secret of what is stored, in every part",
  WEBHOOK_PRIVATE_ADDRESSES: "on",
};

/** The settings of services that only serve. */
const silent = { ...settings, DISPATCH: "off" };

/** Events that were delivered before the dump begins. */
const TOLD_BEFORE = 50;

/** Milliseconds for what waits to be sent after the restore. */
const TOLD_WITHIN = 60_000;

await part(async ({ folder, cleanup }) => {
  if (!isInstalled()) {
    seen("PostgreSQL 15 is not installed: apt-get install postgresql-15", false);
    return;
  }
  const cluster = await Cluster.start(folder, cleanup);
  const shop = await seededShop(cluster);
  const service = await Release.start({ databaseUrl: shop, settings }, cleanup);
  const tag = await tagOf(service);
  await failLogin(service);
  const receiver = await Receiver.start(cleanup);
  await createEndpoints(service, receiver);

  const isTold = () => receiver.of("steady").length >= TOLD_BEFORE;
  const file = await dumpInUse(cluster, service, shop, { folder, isTold });
  const { before, after } = await restore(cluster, file);
  await compare(cluster, before, after);
  seen(`lists check: ${(await tea(after, "lists", "check")).trim()}`);
  await trySettings(after, cleanup);
  await tryWebhooks(cluster, after, receiver, cleanup);
  await tryService(cluster, after, tag, cleanup);
});

async function seededShop(cluster) {
  doing(`a shop of ${PRODUCTS} products and ${ORDERS} orders`);
  const server = cluster.url("postgres", "postgres");
  await cluster.sql(server, "CREATE ROLE tea_shop LOGIN");
  await cluster.sql(server, "CREATE DATABASE tea_shop OWNER tea_shop TEMPLATE template0");
  const url = cluster.url("tea_shop");
  await tea(url, "migrate", "up");
  await tea(url, "seed", "demo");
  await tea(url, "seed", "demo", "--products", PRODUCTS, "--orders", ORDERS);
  return url;
}

/** Dumps the database while orders are placed, with the command of docs/operating.md. */
async function dumpInUse(cluster, service, url, { folder, isTold }) {
  const products = await cluster.sql(url, "SELECT id FROM products WHERE is_active LIMIT 1000");
  const ids = products.map(({ id }) => id);
  const clients = new OrderClients(service.url, ids, CLIENTS, { pause: 0 });
  await until(isTold, TOLD_WITHIN, "The first events");
  const target = path.join(folder, "dump");
  mkdirSync(target);
  chmodSync(target, 0o777);
  const file = path.join(target, "tea-shop.dump");
  const started = performance.now();
  await cluster.run("pg_dump", "--format=custom", "--no-owner", ...LEFT_OUT, "--file", file, url);
  const time = since(started);
  await clients.stop();
  const code = await service.stop();
  const wrong = clients.outcomes.filter((outcome) => outcome !== 201);
  const orders = `${clients.acknowledged.length} orders placed meanwhile`;
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  seen(
    `pg_dump in ${time}: ${megabytes} MB; ${orders}, others ${wrong.length}`,
    wrong.length === 0,
  );
  if (code !== 0) seen(`the service ended with ${code}`, false);
  return file;
}

/** Runs the blocks of docs/operating.md as they are, after what the page leaves open: where its programs run. */
async function restore(cluster, file) {
  const page = readFileSync(path.join(ROOT, "docs/operating.md"), "utf8");
  const [, section] = /^### Restore\n([^]*?)^## /m.exec(page);
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block);
  const script = [
    `at="${cluster.at}"`,
    `tea() { DATABASE_URL=${cluster.url("tea_shop_restored")} ${process.execPath} ${ROOT}/dist/cli/main.js "$@"; }`,
    ...blocks.filter((block) => block.startsWith("$at ")),
  ];
  const started = performance.now();
  await program("sh", ["-ec", script.join("\n")], { cwd: path.dirname(file) });
  seen(`restored and swapped, by the blocks of the page, in ${since(started)}`);
  return { before: cluster.url("tea_shop_before"), after: cluster.url("tea_shop") };
}

/** The catalogue and the accounts are the same; the orders are some that were whole in the dump's snapshot. */
async function compare(cluster, before, after) {
  for (const table of ["categories", "products", "admins", "newsletter_subscribers"]) {
    const digest = `SELECT count(*)::int, md5(string_agg(t::text, '|' ORDER BY id)) FROM ${table} t`;
    const [[one], [other]] = [await cluster.sql(before, digest), await cluster.sql(after, digest)];
    const isSame = JSON.stringify(one) === JSON.stringify(other);
    seen(`${table}: ${other.count} rows, ${isSame ? "the same" : "not the same"}`, isSame);
  }
  const count = "SELECT count(*)::int FROM orders";
  const [[was], [is]] = [await cluster.sql(before, count), await cluster.sql(after, count)];
  const isBetween = is.count > Number(ORDERS) && is.count <= was.count;
  seen(`orders: ${is.count} of ${was.count}, since orders went on after the dump began`, isBetween);
  const broken = await cluster.sql(
    after,
    `SELECT o.id FROM orders o LEFT JOIN order_items i ON i.order_id = o.id
     GROUP BY o.id HAVING sum(i.quantity * i.unit_price) IS DISTINCT FROM o.total_amount`,
  );
  seen(`orders without all of their items: ${broken.length}`, broken.length === 0);
  const [left] = await cluster.sql(after, "SELECT count(*)::int FROM login_failures");
  seen(`login_failures: ${left.count} rows`, left.count === 0);
}

/** A dump does not have the settings of the role, of which the service would warn. */
async function trySettings(url, cleanup) {
  const service = await Release.start({ databaseUrl: url, settings: silent }, cleanup);
  seen("the service lacks no settings of the role", !service.log.includes("ALTER ROLE"));
  await service.stop();
}

/** What was delivered before the dump is not sent again, and all that waited then is sent. */
async function tryWebhooks(cluster, url, receiver, cleanup) {
  const idsOf = async (name, state) => {
    const rows = await cluster.sql(
      url,
      `SELECT ${EVENT_ID} AS id
       FROM webhook_deliveries JOIN events ON events.id = event_id
       JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
       WHERE url LIKE '%/${name}' AND state = '${state}'`,
    );
    return rows.map(({ id }) => id);
  };
  const delivered = await idsOf("steady", "DELIVERED");
  const waiting = await idsOf("failing", "WAITING");
  receiver.messages = [];
  receiver.deed = () => TAKES;
  // The next tries are hours away.
  await cluster.sql(
    url,
    "UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'WAITING'",
  );
  const service = await Release.start({ databaseUrl: url, settings }, cleanup);
  const isOver = async () => {
    const [{ left }] = await cluster.sql(
      url,
      "SELECT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'WAITING') AS left",
    );
    return !left;
  };
  await until(isOver, TOLD_WITHIN, "The end of all deliveries");
  await service.stop();
  const told = (name) => new Set(receiver.of(name).map(({ id }) => id));
  const twice = delivered.filter((id) => told("steady").has(id)).length;
  const lost = waiting.filter((id) => !told("failing").has(id)).length;
  seen(
    `events delivered before the dump: ${delivered.length}, sent again ${twice}`,
    delivered.length > 0 && twice === 0,
  );
  seen(`events that waited: ${waiting.length}, not sent ${lost}`, waiting.length > 0 && lost === 0);
  seen(`wrong signatures ${receiver.wrongSignatures}`, receiver.wrongSignatures === 0);
}

async function tryService(cluster, url, tag, cleanup) {
  const service = await Release.start({ databaseUrl: url, settings: silent }, cleanup);
  const answer = await fetch(`${service.url}/products`, { headers: { "If-None-Match": tag } });
  const other = answer.headers.get("ETag");
  seen(
    `a tag from before answers ${answer.status}, and the tag is another`,
    other !== tag && answer.ok,
  );
  const [{ id }] = await cluster.sql(url, "SELECT id FROM products WHERE is_active LIMIT 1");
  const order = await fetch(`${service.url}/orders`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      customerEmail: "a@example.com",
      items: [{ productId: id, quantity: 1 }],
    }),
  });
  seen(`an order: ${order.status}`, order.status === 201);
  const code = await service.stop();
  seen(`SIGTERM: exit ${code}`, code === 0);
}

async function tagOf(service) {
  const { headers } = await fetch(`${service.url}/products`);
  return headers.get("ETag");
}

/** Creates an endpoint that takes all events, and one that refuses them. */
async function createEndpoints({ url }, receiver) {
  receiver.deed = (name) => (name === "failing" ? REFUSES : TAKES);
  const headers = await signIn(url, ADMIN);
  for (const name of ["steady", "failing"]) {
    receiver.trust(name, await createEndpoint(url, headers, receiver.urlOf(name)));
  }
}

/** Leaves a row in login_failures. */
async function failLogin(service) {
  const { status } = await fetch(`${service.url}/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "ada@example.com", password: "wrong" }),
  });
  if (status === 200) throw new Error("A wrong password was accepted");
}
