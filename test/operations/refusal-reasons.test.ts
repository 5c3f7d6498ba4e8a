import { connect } from "node:net";
import { Client } from "pg";
import { execute } from "../graphql/client";
import { atRest } from "../security/login";
import { startReplica, useApp, type Overrides, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { send } from "../support/raw-http";
import { seriesIn } from "./series";

let holder: Client;
const app = useApp({ metrics: { port: 0 }, catalogue: { cache: false } });
beforeEach(async () => {
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterEach(() => holder.end());

const hold = (table: string) => holder.query(`BEGIN; LOCK TABLE ${table}`);
const letGo = () => holder.query("COMMIT");

const waiting = (count: number) => eventually(async () => (await waitingForLocks(app)) === count);

const readProduct = async (shop: TestApp): Promise<number> =>
  (await send(shop.url, { method: "GET", path: "/products/1" })).status;

/** A login of an account that does not exist. */
const login = (shop: TestApp) => atRest(shop, { email: "nobody@example.com" });

/** What a shop has counted of refusals and of logins. */
async function counted(shop: TestApp): Promise<Record<string, number>> {
  const series = [...seriesIn(await shop.metrics())];
  return Object.fromEntries(series.filter(([name]) => /^tea_(unavailable|logins)_/.test(name)));
}

const reason = (name: string) => `tea_unavailable_total{reason="${name}"}`;
const end = (name: string) => `tea_logins_total{end="${name}"}`;

/** Nothing listens there. */
const away: Overrides = { database: { url: "postgres://tea@127.0.0.1:1/tea" } };

/** One client may have one login under way. */
const oneLogin: Overrides = { login: { concurrency: 1, queueLimit: 1 } };

/** How a shop comes to refuse something, and what it counts then. */
type Provocation = [
  label: string,
  settings: Overrides,
  provoke: (shop: TestApp) => Promise<void>,
  counts: Record<string, number>,
];

const provocations: Provocation[] = [
  [
    "a read without a database",
    away,
    async (shop) => expect(await readProduct(shop)).toBe(503),
    { [reason("database")]: 1 },
  ],
  [
    "a login without a database",
    away,
    async (shop) => expect(await login(shop)).toBe(503),
    { [reason("database")]: 1, [end("broken")]: 1 },
  ],
  [
    "a login beside as many as may wait",
    oneLogin,
    async (shop) => {
      await hold("admins");
      const first = login(shop);
      await waiting(1);
      expect(await login(shop)).toBe(503);
      await letGo();
      expect(await first).toBe(400);
    },
    { [reason("logins")]: 1, [end("busy")]: 1, [end("failed")]: 1 },
  ],
  [
    "a search that waits for others for too long",
    { database: { poolSize: 4, acquireTimeout: 200 } },
    async (shop) => {
      await hold("products");
      const query = '{ products(filter: { search: "sencha" }) { data { id } } }';
      const first = execute(shop, { query });
      await waiting(1);
      const { body } = await execute(shop, { query });
      expect(body.errors?.[0]?.extensions.code).toBe("SERVICE_UNAVAILABLE");
      await letGo();
      expect((await first).body.errors).toBeUndefined();
    },
    { [reason("lists")]: 1 },
  ],
  [
    "a read of a shop that is closed",
    {},
    async (shop) => {
      await shop.shop.close();
      expect(await readProduct(shop)).toBe(503);
    },
    { [reason("closing")]: 1 },
  ],
  [
    "a list whose client is gone before it is read",
    { database: { poolSize: 1 } },
    async (shop) => {
      await hold("products");
      const first = readProduct(shop);
      await waiting(1);
      const query = '{"query":"{ products { data { id } } }"}';
      const { hostname, port } = new URL(shop.url);
      const client = connect(Number(port), hostname);
      client.write(
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
          `Content-Length: ${query.length}\r\n\r\n${query}`,
      );
      const page = () => shop.metrics();
      await eventually(async () => (await page()).includes("\ntea_database_requests_waiting 1"));
      client.destroy();
      await eventually(async () => (await page()).includes('code="cut off"'));
      await letGo();
      expect(await first).toBe(404);
      await eventually(async () => (await page()).includes(reason("abandoned")));
    },
    { [reason("abandoned")]: 1 },
  ],
];

test.each(provocations)(
  "%s counts by its reason and end",
  async (_label, settings, provoke, counts) => {
    const shop = await startReplica(app, settings);
    try {
      await provoke(shop);
      expect(await counted(shop)).toEqual(counts);
    } finally {
      await shop.close();
    }
  },
);
