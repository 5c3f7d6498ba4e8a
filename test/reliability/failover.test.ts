/** @check */

import { checkDatabase } from "../../src/database/checks/database-check";
import { withClient } from "../../src/database/connection/with-client";
import { Migrator } from "../../src/database/migrations/migrator";
import { startApp, startReplica, type TestApp } from "../support/app";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { startReplicated, type ReplicatedServers, type Server } from "../support/replicated";
import { startService, type Service } from "../support/service";

let servers: ReplicatedServers;
let former: Server;
let standby: Server;
/** Names both hosts, the standby first. */
let url: string;
/** A shop that knows the former primary alone, one of both hosts, and a process of both that only reads. */
let direct: TestApp;
let app: TestApp;
let reader: Service;
let productId: number;

beforeAll(async () => {
  servers = await startReplicated(1);
  former = servers.primary;
  standby = servers.replicas[0]!;
  url = `${former.url.replace("@", `@${new URL(standby.url).host},`)}?target_session_attrs=read-write`;
  await new Migrator({ databaseUrl: url }).up();
  direct = await startApp({ database: { url: former.url } });
  ({ id: productId } = await direct.make.product());
  app = await startReplica(direct, { database: { url, poolSize: 4, acquireTimeout: 1_000 } });
  reader = await startService(url);
}, 60_000);

afterAll(async () => {
  reader.signal("SIGTERM");
  await Promise.all([reader.ended, app.close(), direct.close()]).finally(() => servers.close());
});

const portOf = (server: Server): string => new URL(server.url).port;

const customersAt = async (server: Server): Promise<string[]> => {
  const statement = "SELECT customer_email AS email FROM orders";
  return (await query<{ email: string }>(server.url, statement)).map(({ email }) => email);
};

/** Places an order for an address of example.com. Returns the status of the answer. */
async function order(name: string, to: { readonly url: string } = app): Promise<number> {
  const { status } = await fetch(`${to.url}/orders`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      customerEmail: `${name}@example.com`,
      items: [{ productId, quantity: 1 }],
    }),
  });
  return status;
}

test("the host that takes writes is found, by the pool and by connections beside it", async () => {
  expect(await order("first")).toBe(201);
  expect(await customersAt(former)).toEqual(["first@example.com"]);
  await checkDatabase(url);
  await withClient(url, async (client) => {
    const { rows } = await client.query("SELECT inet_server_port()::text AS port");
    expect(rows).toEqual([{ port: portOf(former) }]);
  });
  const { id } = await direct.make.category();
  await direct.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'P', 'p-' || number, 1, $1 FROM generate_series(1, 1001) AS number`,
    [id],
  );
  const { body } = await app.http.get(`/products/category/${id}`).expect(200);
  expect(body).toHaveLength(1_001); // too long a list for the pool
});

test("where no host takes writes, it is said of each why", async () => {
  const hosts = `127.0.0.1:${portOf(standby)},127.0.0.1:1`;
  const wrong = url.replace(/@[^/]+/, `@${hosts}`);
  const [one, other] = hosts.split(",");
  await expect(checkDatabase(wrong)).rejects.toThrow(
    `The database shop on ${hosts} can't be used: No host takes writes: ${one} is a standby; ${other}: connect ECONNREFUSED ${other}`,
  );
});

test("one host that is to take writes is refused if it is a standby", async () => {
  const only = `${standby.url}?target_session_attrs=primary`;
  await expect(checkDatabase(only)).rejects.toThrow("No host takes writes");
});

test("a promotion under load loses nothing that was acknowledged, and only the new primary is used", async () => {
  // The former primary lives on, but acknowledges nothing that its standby has not got.
  await former.tell("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await former.tell("SELECT pg_reload_conf()");
  await eventually(async () => {
    const found = await former.tell(
      "SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')",
    );
    return found.length > 0;
  });
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let [isOver, number] = [false, 0];
  const load = [1, 2, 3, 4].map(async () => {
    while (!isOver) {
      const name = `load-${(number += 1)}`;
      const status = await order(name);
      statuses.add(status);
      if (status === 201) acknowledged.push(`${name}@example.com`);
    }
  });
  await eventually(() => acknowledged.length > 20);
  await standby.tell("SELECT pg_promote()");
  const before = acknowledged.length;
  await eventually(() => acknowledged.length > before + 20);
  isOver = true;
  await Promise.all(load);
  expect([...statuses].toSorted()).toEqual([201, 503]);
  expect(await customersAt(standby)).toEqual(expect.arrayContaining(acknowledged));
  // Now the former primary would take writes alone.
  await former.tell("ALTER SYSTEM RESET synchronous_standby_names");
  await former.tell("SELECT pg_reload_conf()");
  expect(await order("after")).toBe(201);
  await withClient(url, async (client) => {
    await client.query("INSERT INTO categories (name, slug) VALUES ('After', 'after')");
  });
  expect(await customersAt(standby)).toContain("after@example.com");
  expect(await customersAt(former)).not.toContain("after@example.com");
});

test("a process that only reads notices the promotion, too", async () => {
  await eventually(async () => {
    const answer = await fetch(`${reader.url}/categories`);
    return (await answer.text()).includes("After");
  });
});

test("a process that starts beside a former primary uses the new one", async () => {
  const backwards = url.replace(/@([^,]+),([^/]+)/, "@$2,$1");
  const service = await startService(backwards);
  expect(await order("started", service)).toBe(201);
  service.signal("SIGTERM");
  await service.ended;
  expect(await customersAt(standby)).toContain("started@example.com");
  expect(await customersAt(former)).not.toContain("started@example.com");
});

test("a former primary is not used while the new one is away", async () => {
  await standby.kill();
  expect(await order("late")).toBe(503);
  expect(await order("late", reader)).toBe(503);
  await expect(checkDatabase(url)).rejects.toThrow("a former primary: another server was promoted");
  await standby.start();
  await eventually(async () => (await order("later")) === 201);
  expect(await customersAt(former)).not.toContain("late@example.com");
});
