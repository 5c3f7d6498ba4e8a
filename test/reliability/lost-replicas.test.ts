/** @check */

import { isDeepStrictEqual } from "node:util";
import { Client } from "pg";
import { startReplica, type TestApp } from "../support/app";
import { query } from "../support/database";
import { startDatabaseProxy } from "../support/database-proxy";
import { eventually } from "../support/eventually";
import type { Server } from "../support/replicated";
import { spawnService } from "../support/service";
import { startTransactionPooler } from "../support/transaction-pooler";
import {
  AT_REST,
  BY_GRAPHQL,
  nameOf,
  rename,
  usesReplicas,
  useReplicatedShop,
} from "../support/replicated-shop";

jest.setTimeout(120_000);

const { app, each, inStep, servers } = useReplicatedShop();

const linesOf = ({ log }: TestApp, message: string) =>
  log.filter((line) => line.includes(`"${message}"`)).length;

/** Locks a table of the primary against reads. Returns what gives the lock back. */
async function lock(table: string): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: servers.primary.url });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE ${table}`);
  return () => holder.end();
}

/** Locks a table of the replicas alone against reads, until they go on. */
async function lockOnReplicas(table: string): Promise<void> {
  const unlock = await lock(table);
  await app.make.category(); // its commit writes the log, in which the lock is
  const granted = `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND granted`;
  for (const { url } of servers.replicas) {
    await eventually(async () => (await query(url, granted)).length > 0);
  }
  await each("pause");
  await unlock();
}

test("replicas that end are left out while clients get right answers, and come back", async () => {
  await usesReplicas(app, 2);
  const asked: Promise<unknown>[] = [];
  const ask = () => {
    asked.push(app.http.get("/products?page=1&pageSize=7").expect(200).then());
    asked.push(
      app.http.post("/graphql").send({ query: "{ categories { name } }" }).expect(200, /data/),
    );
  };
  for (let round = 0; round < 20; round += 1) ask();
  await Promise.all(servers.replicas.map((replica) => replica.kill()));
  for (let round = 0; round < 20; round += 1) ask();
  await Promise.all(asked);
  await usesReplicas(app, 0);
  for (const replica of servers.replicas) await replica.start();
  await usesReplicas(app, 2);
});

/** Poolers before all replicas, which keep their clients' connections whatever happens. */
const poolersOf = (replicas: readonly Server[]) =>
  Promise.all(replicas.map(({ url }) => startTransactionPooler(url, { names: "kept" })));

test.each([
  ["behind poolers", true],
  ["that are reached directly", false],
])("replicas %s that crashed are read once they have what they had", async (_, isPooled) => {
  const poolers = isPooled ? await poolersOf(servers.replicas) : [];
  const replicaUrls = (isPooled ? poolers : servers.replicas).map(({ url }) => url);
  const shop = await startReplica(app, { database: { replicaUrls } });
  await usesReplicas(shop, 2);
  for (const replica of servers.replicas) {
    // Counts from the next start on.
    await replica.tell("ALTER SYSTEM SET recovery_min_apply_delay = '1h'");
  }
  const { id } = await app.make.category();
  await rename(shop, AT_REST, id, "Had");
  await inStep();
  for (let round = 0; round < 4; round += 1) {
    expect(await nameOf(shop, BY_GRAPHQL, id)).toBe("Had");
  }
  await Promise.all(servers.replicas.map((replica) => replica.kill()));
  await Promise.all(servers.replicas.map((replica) => replica.start()));
  for (let round = 0; round < 20; round += 1) {
    expect(await nameOf(shop, AT_REST, id)).toBe("Had");
    expect(await nameOf(shop, BY_GRAPHQL, id)).toBe("Had");
  }
  for (const replica of servers.replicas) {
    await replica.tell("ALTER SYSTEM RESET recovery_min_apply_delay");
    await replica.tell("SELECT pg_reload_conf()");
  }
  await usesReplicas(app, 2);
  await shop.close();
  await Promise.all(poolers.map((pooler) => pooler.close()));
});

/** Leads to one replica, and, once it is told to, to another one. */
const moving: Record<string, (near: string, far: string) => Promise<Moving>> = {
  "by a name that moves": async (near, far) => {
    const proxy = await startDatabaseProxy(near);
    return { ...proxy, move: () => proxy.moveTo(far) };
  },
  "by a pooler of both": async (near, far) => {
    let hasMoved = false;
    const balance = { to: far, clients: () => hasMoved, everything: true };
    const pooler = await startTransactionPooler(near, { names: "kept", balance });
    return { ...pooler, move: () => (hasMoved = true) };
  },
};

interface Moving {
  readonly url: string;
  readonly move: () => unknown;
  close(): Promise<void>;
}

test.each(Object.entries(moving))(
  "no connection leads to an older replica: %s",
  async (_, start) => {
    const [near, far] = servers.replicas as [Server, Server];
    const way = await start(near.url, far.url);
    const shop = await startReplica(app, { database: { replicaUrls: [way.url] } });
    await usesReplicas(shop, 1);
    const { id } = await app.make.category();
    await rename(shop, AT_REST, id, "Before");
    await inStep();
    await far.pause();
    await rename(shop, AT_REST, id, "After");
    await inStep([near]);
    expect(await nameOf(shop, AT_REST, id)).toBe("After");
    way.move();
    expect(await nameOf(shop, AT_REST, id)).toBe("After");
    expect(await nameOf(shop, BY_GRAPHQL, id)).toBe("After");
    await shop.close();
    await way.close();
  },
);

test("poolers in transaction mode before the primary and the replicas change nothing", async () => {
  const poolers = await poolersOf([servers.primary, ...servers.replicas]);
  const [url = "", ...replicaUrls] = poolers.map((each) => each.url);
  const shop = await startReplica(app, { database: { url, replicaUrls } });
  await usesReplicas(shop, 2);
  const { id } = await app.make.category();
  for (let round = 0; round < 20; round += 1) {
    await rename(shop, round % 2 ? AT_REST : BY_GRAPHQL, id, `Pooled ${round}`);
    expect(await nameOf(shop, AT_REST, id)).toBe(`Pooled ${round}`);
    expect(await nameOf(shop, BY_GRAPHQL, id)).toBe(`Pooled ${round}`);
  }
  await inStep();
  await each("pause");
  await app.sql("UPDATE categories SET name = 'Unseen' WHERE id = $1", [id]);
  await eventually(async () => (await nameOf(shop, AT_REST, id)) === "Pooled 19");
  await each("resume");
  await shop.close();
  expect(poolers.flatMap(({ refused }) => refused)).toEqual([]);
  await Promise.all(poolers.map((pooler) => pooler.close()));
});

test.each([
  ["always", {}],
  ["until a client has written", { untilWrite: true }],
  ["of one connection in ten", { clients: (number: number) => number % 10 === 0 }],
])("a pooler that sends reads to replicas by itself is refused, %s", async (_, balance) => {
  const [{ url: to } = { url: "" }] = servers.replicas;
  const pooler = await startTransactionPooler(servers.primary.url, {
    names: "kept",
    balance: { to, ...balance },
  });
  const refused = spawnService(pooler.url, { MIGRATION_DATABASE_URL: servers.primary.url });
  void refused.prints(/"listening"/).then(
    () => refused.signal("SIGTERM"), // instead of a time-out
    () => undefined,
  );
  expect((await refused.ended).code).toBe(1);
  expect(refused.printed("stderr")).toBe(
    "DATABASE_URL leads to a pooler that sends reads to standbys by itself, so clients would not see what they have changed: turn its load balancing off, and name the standbys in DATABASE_REPLICA_URLS\n",
  );
  await pooler.close();
});

test("a read whose replica hangs from the beginning is repeated at the primary", async () => {
  await usesReplicas(app, 2);
  const leftOut = linesOf(app, "left out a replica");
  await lockOnReplicas("catalogue_state");
  const unkept = { query: "{ categories { id isActive } }" };
  await app.http
    .post("/graphql")
    .send(unkept)
    .expect(200, /"data"/);
  // Otherwise the next read would wait as long.
  expect(linesOf(app, "left out a replica")).toBeGreaterThan(leftOut);
  await each("resume");
});

test("a read for which a replica has no connection is repeated at the primary", async () => {
  const [near] = servers.replicas as [Server];
  const busy = await startReplica(app, {
    database: { poolSize: 1, queueLimit: 0, replicaUrls: [near.url] },
    catalogue: { cache: false },
  });
  await usesReplicas(busy, 1);
  await lockOnReplicas("orders");
  const hanging = busy.http.get("/orders").set("Authorization", app.asAdmin).then();
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  await eventually(async () => (await near.tell(waiting)).length > 0);
  await busy.http.get("/products").expect(200);
  await hanging;
  await each("resume");
  await busy.close();
});

test("a change is made once, though what is below it can't be read", async () => {
  await usesReplicas(app, 2);
  const leftOut = linesOf(app, "left out a replica");
  const unlock = await lock("products");
  const { body } = await app.http.post("/graphql").set("Authorization", app.asAdmin).send({
    query: `mutation { createCategory(input: { name: "Once" }) { products { meta { total } } } }`,
  });
  await unlock();
  expect(body).toMatchObject({ errors: [{ extensions: { code: "SERVICE_UNAVAILABLE" } }] });
  expect(await app.sql("SELECT FROM categories WHERE name = 'Once'")).toHaveLength(1);
  expect(linesOf(app, "left out a replica")).toBe(leftOut);
});

test("a client that goes away is no fault of the replica", async () => {
  await usesReplicas(app, 2);
  const leftOut = linesOf(app, "left out a replica");
  const unlock = await lock("orders");
  await app.sql("SELECT pg_logical_emit_message(true, '', '')"); // sends what the lock has written
  await eventually(async () => {
    const locks =
      "SELECT FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock'";
    const held = await Promise.all(servers.replicas.map((replica) => replica.tell(locks)));
    return held.every(({ length }) => length > 0);
  });
  const gone = new AbortController();
  const asked = fetch(`${app.url}/orders`, {
    headers: { Authorization: app.asAdmin },
    signal: gone.signal,
  });
  const waiting =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = 'shop'";
  const waits = () =>
    Promise.all(servers.replicas.map((replica) => replica.tell(waiting))).then((rows) =>
      rows.some(({ length }) => length > 0),
    );
  await eventually(waits);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await eventually(async () => !(await waits())); // the statement was cancelled there
  await unlock();
  await inStep();
  await app.http.get("/orders").set("Authorization", app.asAdmin).expect(200);
  expect(linesOf(app, "left out a replica")).toBe(leftOut);
});

test("what a replica replays may end its reads, which the primary answers then", async () => {
  await usesReplicas(app, 2);
  await app.sql("INSERT INTO newsletter_subscribers (email) VALUES ('a@example.com')");
  await app.sql("ALTER TABLE newsletter_subscribers RENAME TO those");
  await app.sql("CREATE VIEW newsletter_subscribers AS SELECT those.* FROM those, pg_sleep(0.5)");
  await inStep();
  const asked = app.http
    .post("/graphql")
    .set("Authorization", app.asAdmin)
    .send({ query: "{ newsletterSubscribers { data { email } } }" })
    .then(({ body }) => body as unknown);
  const sleeping = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  await eventually(async () => {
    const rows = await Promise.all(servers.replicas.map((replica) => replica.tell(sleeping)));
    return rows.some(({ length }) => length > 0);
  });
  await app.sql("BEGIN; LOCK TABLE those IN ACCESS EXCLUSIVE MODE; COMMIT");
  expect(await asked).toEqual({
    data: { newsletterSubscribers: { data: [{ email: "a@example.com" }] } },
  });
  await app.sql("DROP VIEW newsletter_subscribers");
  await app.sql("ALTER TABLE those RENAME TO newsletter_subscribers");
});

test("replicas that can't be read are named with the reason, in the log and in metrics", async () => {
  const [host = ""] = servers.replicas.map(({ url }) => new URL(url).host);
  const [near = ""] = servers.replicas.map(({ url }) => url);
  const shop = await startReplica(app, {
    metrics: { port: 0, host: undefined },
    database: {
      replicaUrls: [
        "postgres://shop:secret@127.0.0.1:1/shop",
        servers.primary.url,
        near.replace(/shop$/, "postgres"),
      ],
    },
  });
  /** The last reason of each. On a busy machine, any of them may not have answered in time at first. */
  const reasonsOf = () =>
    Object.fromEntries(
      shop.log
        .map((line) => JSON.parse(line) as { msg: string; replica: string; reason: string })
        .filter(({ msg }) => msg === "left out a replica")
        .map(({ replica, reason }) => [replica, reason]),
    );
  const expected = {
    "127.0.0.1:1": "it does not answer in time",
    [new URL(servers.primary.url).host]: "it follows no primary",
    [host]: "it is of another database",
  };
  await eventually(async () => {
    await shop.http.get("/categories").expect(200);
    return isDeepStrictEqual(reasonsOf(), expected);
  });
  const metrics = await shop.metrics();
  expect(metrics).toContain(`tea_replica_used{replica="${host}"} 0`);
  expect(metrics).toMatch(/tea_reads_total\{database="primary"\} [1-9]/);
  await shop.close();
});

test("a pool that was idle during a promotion leads to the new primary", async () => {
  const [follower, promoted] = servers.replicas as [Server, Server];
  // From now on, what the other replica has comes from the one that is promoted.
  const { port, password } = new URL(promoted.url);
  await follower.tell(
    `ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'`,
  );
  await follower.tell("SELECT pg_reload_conf()");
  const isFollowed = "SELECT FROM pg_stat_replication WHERE state = 'streaming'";
  await eventually(async () => (await promoted.tell(isFollowed)).length === 1);
  const url = servers.primary.url.replace(/@([^/]+)/, `@$1,${new URL(promoted.url).host}`);
  const idle = await startReplica(app, { database: { url, replicaUrls: [follower.url] } });
  await usesReplicas(idle, 1);
  await rename(idle, AT_REST, (await app.make.category()).id, "Before");
  await inStep();
  await follower.pause(); // it stays on the former timeline
  await promoted.tell("SELECT pg_promote()");
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, "now").mockImplementation(() => now() + 3_000);
  const { status } = await idle.http
    .post("/categories")
    .set("Authorization", app.asAdmin)
    .send({ name: "Elsewhere" });
  clock.mockRestore();
  expect(status).toBe(201);
  const named = "SELECT FROM categories WHERE name = 'Elsewhere'";
  expect(await query(promoted.url, named)).toHaveLength(1);
  expect(await app.sql(named)).toHaveLength(0);
  await idle.http.get("/categories").expect(200, /"Elsewhere"/);
  await idle.close();
});

test("a replica that was promoted is read no more, and neither is one that follows it", async () => {
  await usesReplicas(app, 1);
  const [follower, promoted] = servers.replicas as [Server, Server];
  // Without this right, the service would learn of its timeline from its next restartpoint.
  await promoted.tell("GRANT pg_read_all_stats TO shop");
  // As much is written there that places of the two histories alone would not tell them apart.
  await promoted.tell("SELECT pg_switch_wal()");
  await query(
    promoted.url,
    "UPDATE categories SET name = 'Elsewhere still' WHERE name = 'Elsewhere'",
  );
  await eventually(async () => {
    const named = "SELECT FROM categories WHERE name = 'Elsewhere still'";
    return (await query(follower.url, named)).length === 1;
  });
  const isElsewhere = async () =>
    JSON.stringify((await app.http.get("/categories").expect(200)).body).includes("Elsewhere");
  await eventually(async () => !(await isElsewhere())); // what they said counts for half a second
  for (let round = 0; round < 20; round += 1) expect(await isElsewhere()).toBe(false);
});
