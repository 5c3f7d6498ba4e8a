import { Client } from "pg";
import { Migrator } from "../../src/database/migrations/migrator";
import { startApp, startReplica, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { repetitions } from "../support/repetitions";
import { spawnService } from "../support/service";
import { startTransactionPooler } from "../support/transaction-pooler";
import { startReplicated, type ReplicatedServers } from "../support/replicated";

jest.setTimeout(120_000);

const POSITION = "X-Session-Position";
const HOUR = 3_600_000;

let servers: ReplicatedServers;
/** Two processes of one deployment. */
let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  servers = await startReplicated(2);
  const url = servers.primary.url;
  await new Migrator({ databaseUrl: url }).up();
  const replicaUrls = servers.replicas.map((each) => each.url);
  app = await startApp({ database: { url, replicaUrls, replicaMaxLag: HOUR, poolSize: 4 } });
  other = await startReplica(app);
}, 60_000);

afterAll(async () => {
  await other.close();
  await app.close();
  await servers.close();
});

afterEach(() => each("resume").catch(() => undefined)); // one of them was promoted in the end

const linesOf = ({ log }: TestApp, message: string) =>
  log.filter((line) => line.includes(`"${message}"`)).length;

/** The replicas that a process reads from, by its log. */
function usedBy({ log }: TestApp): string[] {
  const last = new Map<string, string>();
  for (const line of log) {
    const { replica, msg } = JSON.parse(line) as { replica?: string; msg: string };
    if (replica !== undefined) last.set(replica, msg);
  }
  return [...last]
    .filter(([, msg]) => msg === "reading from a replica")
    .map(([replica]) => replica);
}

/** Reads until a process reads from so many replicas. */
const usesReplicas = async (of: TestApp, count: number): Promise<void> => {
  await eventually(async () => {
    await of.http
      .post("/graphql")
      .send({ query: "{ categories { id } }" })
      .expect(200, /"data"/);
    return usedBy(of).length === count;
  });
};

const each = (act: "pause" | "resume") =>
  Promise.all(servers.replicas.map((replica) => replica[act]()));

/** Waits until the replicas have all that the primary has. */
async function inStep(): Promise<void> {
  const [end] = await query<{ lsn: string }>(
    servers.primary.url,
    "SELECT pg_current_wal_lsn() AS lsn",
  );
  for (const replica of servers.replicas) {
    await eventually(async () => {
      const [row] = await query<{ reached: boolean }>(
        replica.url,
        "SELECT pg_last_wal_replay_lsn() >= $1 AS reached",
        [end?.lsn],
      );
      return row?.reached;
    });
  }
}

const namesIn = async (of: TestApp, position?: string): Promise<string[]> => {
  const request = of.http.get("/products");
  const { body } = await (position === undefined ? request : request.set(POSITION, position));
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

const namesByGraphql = async (of: TestApp, position?: string): Promise<string[]> => {
  const request = of.http.post("/graphql");
  if (position !== undefined) request.set(POSITION, position);
  const { body } = await request.send({
    query: "{ products(page: 1, pageSize: 50) { data { name category { name } } } }",
  });
  return (body as { data: { products: { data: { name: string }[] } } }).data.products.data.map(
    ({ name }) => name,
  );
};

/** Creates a product; returns the position that the answer has. */
async function create(name: string): Promise<string> {
  const { id } = await app.make.category();
  const { headers } = await app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name, price: "1.00", categoryId: id })
    .expect(201);
  return String((headers as Record<string, string>)[POSITION.toLowerCase()]);
}

clause(
  "11.positions",
  "who changed something sees it at once, and elsewhere with the position; others may be behind",
  { doors: ["REST", "GraphQL"] },
  async () => {
    await usesReplicas(app, 2);
    await usesReplicas(other, 2);
    await inStep();
    expect(await namesIn(other)).toEqual([]);
    await each("pause");
    const position = await create("New");
    expect(await namesIn(app)).toEqual(["New"]);
    expect(await namesByGraphql(app)).toEqual(["New"]);
    // Without the position, the other process reads a replica, which lags for less than an hour.
    await eventually(async () => (await namesIn(other)).length === 0);
    await eventually(async () => (await namesByGraphql(other)).length === 0);
    expect(await namesIn(other, position)).toEqual(["New"]);
    expect(await namesByGraphql(other, position)).toEqual(["New"]);
    await each("resume");
    await eventually(async () => (await namesIn(other)).includes("New"));
  },
);

clause(
  "11.positions",
  "positions that are malformed, forged or of another timeline show no more than a request without",
  { doors: ["REST", "GraphQL"] },
  async () => {
    await inStep();
    await each("pause");
    const position = await create("Newer");
    const [timeline, place, signature = ""] = position.split(".");
    const forged = [
      ...[
        "",
        "x",
        "1.2",
        `${timeline}.${place}.${"A".repeat(43)}`,
        `${timeline}.9${place}.${signature}`,
      ],
      ...[`${Number(timeline) + 1}.${place}.${signature}`, `${position}.`, "9".repeat(4_000)],
    ];
    for (const text of forged) {
      await eventually(async () => !(await namesIn(other, text)).includes("Newer"));
    }
    expect(await namesIn(other, position)).toContain("Newer");
    await each("resume");
  },
);

test("what is below a mutation shows the change", async () => {
  await inStep();
  await each("pause");
  const { id } = await app.make.category();
  const { body, headers } = await other.http
    .post("/graphql")
    .set("Authorization", app.asAdmin)
    .send({
      query: `mutation ($id: Int!) { createProduct(input: { name: "Below", price: "1.00", categoryId: $id }) {
        name category { id } prices { price } } }`,
      variables: { id },
    });
  expect(body).toEqual({
    data: {
      createProduct: { name: "Below", category: { id }, prices: [{ price: "1.00" }] },
    },
  });
  const position = (headers as Record<string, string>)[POSITION.toLowerCase()];
  expect(await namesByGraphql(app, position)).toContain("Below");
  await each("resume");
});

test("who changed something sees it even if nobody can say where in the log it stands", async () => {
  await usesReplicas(app, 2);
  await inStep();
  await each("pause");
  const asSuperuser = servers.primary.url.replace("//shop:", "//postgres:");
  const place = "FUNCTION pg_current_wal_flush_lsn()";
  await query(asSuperuser, `REVOKE EXECUTE ON ${place} FROM PUBLIC`);
  expect(await create("Without a place")).toBe("undefined");
  expect(await namesIn(app)).toContain("Without a place");
  await query(asSuperuser, `GRANT EXECUTE ON ${place} TO PUBLIC`);
  expect(await namesIn(app)).toContain("Without a place");
  expect(await namesByGraphql(app)).toContain("Without a place");
  await each("resume");
});

test("others are behind for the longest lag at most", async () => {
  await inStep();
  const prompt = await startReplica(app, { database: { replicaMaxLag: 200 } });
  const exact = await startReplica(app, { database: { replicaMaxLag: 0 } });
  await usesReplicas(prompt, 2);
  await usesReplicas(exact, 2);
  await inStep();
  await each("pause");
  await create("Late");
  expect(await namesIn(exact)).toContain("Late");
  await eventually(async () => (await namesIn(prompt)).includes("Late"));
  await each("resume");
  await Promise.all([prompt.close(), exact.close()]);
});

/** Milliseconds that the two processes of the rounds may be behind. */
const LAG = 50;

const [AT_REST, BY_GRAPHQL] = ["REST", "GraphQL"] as const;
type Door = typeof AT_REST | typeof BY_GRAPHQL;

/** Renames a category; returns the position that the answer has. */
async function rename(of: TestApp, door: Door, id: number, name: string): Promise<string> {
  const query =
    "mutation ($id: Int!, $name: String!) { updateCategory(id: $id, input: { name: $name }) { id } }";
  const { headers } =
    door === AT_REST
      ? await of.http.patch(`/categories/${id}`).set("Authorization", app.asAdmin).send({ name })
      : await of.http
          .post("/graphql")
          .set("Authorization", app.asAdmin)
          .send({ query, variables: { id, name } });
  return String((headers as Record<string, string>)[POSITION.toLowerCase()]);
}

async function nameOf(of: TestApp, door: Door, id: number, position?: string): Promise<string> {
  const request = door === AT_REST ? of.http.get("/categories") : of.http.post("/graphql");
  if (position !== undefined) request.set(POSITION, position);
  if (door === AT_REST) {
    const { body } = await request;
    return (body as { id: number; name: string }[]).find((each) => each.id === id)?.name ?? "";
  }
  const { body } = await request.send({ query: `{ category(id: ${id}) { name } }` });
  return (body as { data: { category: { name: string } } }).data.category.name;
}

clause(
  "11.positions",
  "round after round, nobody sees less than they were told, or than is older than the longest lag",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const lag = { database: { replicaMaxLag: LAG } };
    const shops = [await startReplica(app, lag), await startReplica(app, lag)] as const;
    const { id } = await app.make.category();
    const acknowledged: { readonly at: number; readonly round: number }[] = [];
    const stale: string[] = [];
    for (let round = 0; round < repetitions({ few: 100, all: 400 }); round += 1) {
      const slow = servers.replicas[Math.floor(round / 20) % 2];
      if (round % 20 === 5) await slow?.pause();
      if (round % 20 === 15) await slow?.resume();
      const [writer, reader] = round % 2 === 0 ? shops : [shops[1], shops[0]];
      const [door, otherDoor] = round % 3 === 0 ? [AT_REST, BY_GRAPHQL] : [BY_GRAPHQL, AT_REST];
      const position = await rename(writer, door, id, `Round ${round}`);
      acknowledged.push({ at: performance.now(), round });
      const told = await Promise.all([
        ...[nameOf(writer, door, id), nameOf(writer, otherDoor, id)],
        ...[nameOf(reader, door, id, position), nameOf(reader, otherDoor, id, position)],
      ]);
      stale.push(...told.filter((name) => name !== `Round ${round}`));
      const begun = performance.now();
      const others = Number((await nameOf(reader, otherDoor, id)).replace("Round ", ""));
      const due = acknowledged.findLast(({ at }) => at <= begun - LAG)?.round ?? -1;
      if (others < due) stale.push(`${others} of ${due} at another process`);
    }
    expect(stale).toEqual([]);
    await Promise.all(shops.map((each) => each.close()));
  },
);

test("orders and exports of a category come from replicas, complete", async () => {
  const { id: categoryId } = await app.make.category();
  const { id: productId } = await app.make.product({ category_id: categoryId });
  await app.http
    .post("/orders")
    .send({ customerEmail: "ada@example.com", items: [{ productId, quantity: 2 }] })
    .expect(201);
  await inStep();
  await each("pause");
  await app.sql("DELETE FROM order_items");
  const { body } = await other.http
    .post("/graphql")
    .set("Authorization", app.asAdmin)
    .send({ query: "{ orders { data { items { quantity product { id } } } } }" });
  expect(body).toEqual({
    data: { orders: { data: [{ items: [{ quantity: 2, product: { id: productId } }] }] } },
  });
  await each("resume");
  const list = await other.http.get(`/products/category/${categoryId}`).expect(200);
  expect(list.body).toEqual([expect.objectContaining({ id: productId })]);
  await other.http.get("/products/category/2000000").expect(404);
});

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

test("replicas that have crashed are read only once they have again what they had", async () => {
  await inStep();
  for (const replica of servers.replicas) {
    // Counts from the next start on.
    await replica.tell("ALTER SYSTEM SET recovery_min_apply_delay = '1h'");
  }
  const { id } = await app.make.category();
  await rename(app, AT_REST, id, "Had");
  await inStep();
  expect(await nameOf(app, AT_REST, id)).toBe("Had");
  await Promise.all(servers.replicas.map((replica) => replica.kill()));
  await Promise.all(servers.replicas.map((replica) => replica.start()));
  for (let round = 0; round < 20; round += 1) {
    expect(await nameOf(app, AT_REST, id)).toBe("Had");
    expect(await nameOf(app, BY_GRAPHQL, id)).toBe("Had");
  }
  for (const replica of servers.replicas) {
    await replica.tell("ALTER SYSTEM RESET recovery_min_apply_delay");
    await replica.tell("SELECT pg_reload_conf()");
  }
  await usesReplicas(app, 2);
});

test("a read whose replica hangs from the beginning is repeated at the primary", async () => {
  await usesReplicas(app, 2);
  const holder = new Client({ connectionString: servers.primary.url });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE catalogue_state");
  await app.make.category(); // its commit writes the log, in which the lock is
  for (const { url } of servers.replicas) {
    await eventually(async () => {
      const held = await query(
        url,
        "SELECT FROM pg_locks WHERE relation = 'catalogue_state'::regclass AND granted",
      );
      return held.length > 0;
    });
  }
  await each("pause");
  await holder.end(); // on the replicas, the lock stays
  const unkept = { query: "{ categories { id isActive } }" };
  await app.http
    .post("/graphql")
    .send(unkept)
    .expect(200, /"data"/);
  await each("resume");
});

clause(
  "11.positions",
  "every change says where it stands, and pages of other origins may read and send that",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const asAdmin = { Authorization: app.asAdmin };
    const id = async (of: "categories" | "products", body: object): Promise<number> => {
      const answer = await app.http.post(`/${of}`).set(asAdmin).send(body).expect(201);
      expect(answer.headers).toHaveProperty(POSITION.toLowerCase());
      return (answer.body as { id: number }).id;
    };
    const categoryId = await id("categories", { name: "Told" });
    const productId = await id("products", { name: "Told", price: "1.00", categoryId });
    const answers = [
      await app.http.patch(`/categories/${categoryId}`).set(asAdmin).send({ name: "Told again" }),
      await app.http.patch(`/products/${productId}/status`).set(asAdmin).send({ isActive: true }),
      await app.http.post("/graphql").send({
        query: `mutation { subscribeToNewsletter(email: "a@example.com") }`,
      }),
      await app.http.delete(`/products/${productId}`).set(asAdmin),
      await app.http.delete(`/categories/${categoryId}`).set(asAdmin),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers]).toEqual([
        200,
        expect.objectContaining({ [POSITION.toLowerCase()]: expect.any(String) as string }),
      ]);
    }
    const read = await app.http.get("/products").set("Origin", "http://localhost:1").expect(200);
    expect(read.headers).not.toHaveProperty(POSITION.toLowerCase());
    expect(read.headers["access-control-expose-headers"]).toContain(POSITION);
    const preflight = await app.http.options("/products").set({
      Origin: "http://localhost:1",
      "Access-Control-Request-Method": "GET",
    });
    expect(preflight.headers["access-control-allow-headers"]).toContain(POSITION);
  },
);

test("a change is made once, though what is below it can't be read", async () => {
  await usesReplicas(app, 2);
  const leftOut = linesOf(app, "left out a replica");
  const holder = new Client({ connectionString: servers.primary.url });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE");
  const { body } = await app.http.post("/graphql").set("Authorization", app.asAdmin).send({
    query: `mutation { createCategory(input: { name: "Once" }) { products { meta { total } } } }`,
  });
  await holder.end();
  expect(body).toMatchObject({ errors: [{ extensions: { code: "SERVICE_UNAVAILABLE" } }] });
  expect(await app.sql("SELECT FROM categories WHERE name = 'Once'")).toHaveLength(1);
  expect(linesOf(app, "left out a replica")).toBe(leftOut);
});

test("a client that goes away is no fault of the replica", async () => {
  await usesReplicas(app, 2);
  const leftOut = linesOf(app, "left out a replica");
  const holder = new Client({ connectionString: servers.primary.url });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
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
  await holder.end();
  await inStep();
  await app.http.get("/orders").set("Authorization", app.asAdmin).expect(200);
  expect(linesOf(app, "left out a replica")).toBe(leftOut);
});

test("what a replica replays may end its reads, which the primary answers then", async () => {
  await usesReplicas(app, 2);
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
  const reasonsOf = () =>
    shop.log
      .map((line) => JSON.parse(line) as { msg: string; replica: string; reason: string })
      .filter(({ msg }) => msg === "left out a replica")
      .map(({ replica, reason }) => `${replica} ${reason}`)
      .toSorted();
  await eventually(async () => {
    await shop.http.get("/categories").expect(200);
    return reasonsOf().length === 3;
  });
  expect(reasonsOf()).toEqual(
    [
      "127.0.0.1:1 it does not answer in time",
      `${new URL(servers.primary.url).host} it follows no primary`,
      `${host} it is of another database`,
    ].toSorted(),
  );
  const metrics = await shop.metrics();
  expect(metrics).toContain(`tea_replica_used{replica="${host}"} 0`);
  expect(metrics).toMatch(/tea_reads_total\{database="primary"\} [1-9]/);
  await shop.close();
});

test("poolers in transaction mode before the primary and the replicas change nothing", async () => {
  const poolers = await Promise.all(
    [servers.primary, ...servers.replicas].map(({ url }) =>
      startTransactionPooler(url, { names: "kept" }),
    ),
  );
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

test("a start is refused where a pooler sends reads to replicas by itself", async () => {
  const [{ url: reads } = { url: "" }] = servers.replicas;
  const pooler = await startTransactionPooler(servers.primary.url, { names: "kept", reads });
  const refused = spawnService(pooler.url, { MIGRATION_DATABASE_URL: servers.primary.url });
  expect((await refused.ended).code).toBe(1);
  expect(refused.printed("stderr")).toBe(
    "DATABASE_URL leads to a pooler that sends reads to standbys by itself, so clients would not see what they have changed: turn its load balancing off, and name the standbys in DATABASE_REPLICA_URLS\n",
  );
  await pooler.close();
});

test("a client that has an answer of the catalogue gets 304 again and again", async () => {
  await usesReplicas(app, 2);
  await inStep();
  const { headers } = await app.http.get("/products").expect(200);
  const tag = String((headers as Record<string, string>).etag);
  for (let round = 0; round < 4; round += 1) {
    await app.http.get("/products").set("If-None-Match", tag).expect(304);
  }
});

test("a replica that was promoted is read no more", async () => {
  await usesReplicas(app, 2);
  const [, promoted] = servers.replicas;
  await promoted?.promote();
  await query(
    promoted?.url ?? "",
    "INSERT INTO categories (name, slug) VALUES ('Elsewhere', 'elsewhere')",
  );
  await usesReplicas(app, 1);
  for (let round = 0; round < 20; round += 1) {
    const { body } = await app.http.get("/categories").expect(200);
    expect(JSON.stringify(body)).not.toContain("Elsewhere");
  }
});
