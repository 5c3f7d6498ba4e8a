import { Client } from "pg";
import { connect } from "../../src/database/connection/pool";
import { endOfLog } from "../../src/reads/position";
import { SessionPositions } from "../../src/reads/session-positions";
import { startReplica, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { repetitions } from "../support/repetitions";
import {
  AT_REST,
  BY_GRAPHQL,
  nameOf,
  POSITION,
  rename,
  usesReplicas,
  useReplicatedShop,
} from "../support/replicated-shop";
import { seriesIn } from "../operations/series";

jest.setTimeout(120_000);

const { app, each, inStep, other, servers } = useReplicatedShop();

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

/** The identity of the shop's database. */
async function identity(): Promise<string> {
  const pool = connect({ ...app.settings.database, poolSize: 1 });
  return (await endOfLog(pool).finally(() => pool.close())).identity;
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
    const told = { timeline: Number(timeline), place: BigInt(String(place)) };
    const { data } = app.settings;
    const forged = [
      // Of another database of the same secret, such as a restored one; of another secret.
      new SessionPositions(data).textOf({ ...told, identity: "1/1" }),
      new SessionPositions({ ...data, secret: "x".repeat(64) }).textOf({
        ...told,
        identity: await identity(),
      }),
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
    const renewed = { secret: "y".repeat(64), previousSecrets: [data.secret] };
    const later = await startReplica(app, { data: renewed });
    await usesReplicas(later, 2);
    expect(await namesIn(later, position)).toContain("Newer");
    await later.close();
    await each("resume");
  },
);

test("who sends a position reads a replica that has reached it", async () => {
  await usesReplicas(other, 2);
  const position = await create("Reached");
  await inStep();
  await each("pause");
  await app.sql("UPDATE products SET name = 'Beside' WHERE name = 'Reached'");
  // The primary would say the new name.
  await eventually(async () => (await namesIn(other, position)).includes("Reached"));
  expect(await namesByGraphql(other, position)).toContain("Reached");
  await each("resume");
});

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

/** Does something while nobody can say where the log ends. */
async function withoutPlaces<Result>(act: () => Promise<Result>): Promise<Result> {
  const asSuperuser = servers.primary.url.replace("//shop:", "//postgres:");
  const place = "FUNCTION pg_current_wal_flush_lsn()";
  await query(asSuperuser, `REVOKE EXECUTE ON ${place} FROM PUBLIC`);
  try {
    return await act();
  } finally {
    await query(asSuperuser, `GRANT EXECUTE ON ${place} TO PUBLIC`);
  }
}

test("who changed something sees it even if nobody can say where in the log it stands", async () => {
  await usesReplicas(app, 2);
  await inStep();
  await each("pause");
  await withoutPlaces(async () => {
    expect(await create("Without a place")).toBe("undefined");
    expect(await namesIn(app)).toContain("Without a place");
  });
  expect(await namesIn(app)).toContain("Without a place");
  expect(await namesByGraphql(app)).toContain("Without a place");
  await each("resume");
});

/** Holds back the answer of the next statement with such a text; returns when it is there, and lets it go. */
function holdNext(text: string): { isThere: () => boolean; letGo: () => void } {
  let letGo: (() => void) | undefined;
  const sent = jest.spyOn(Client.prototype, "query") as unknown as jest.SpyInstance<
    unknown,
    [{ text?: string }, (...result: unknown[]) => void]
  >;
  const send = sent.getMockImplementation()!;
  sent.mockImplementation(function (this: Client, query, done) {
    if (!query.text?.includes(text)) return send.call(this, query, done);
    sent.mockRestore();
    return send.call(this, query, (...result) => (letGo = () => done(...result)));
  });
  return { isThere: () => letGo !== undefined, letGo: () => letGo?.() };
}

test("who changed something sees it though the place of an earlier change becomes known meanwhile", async () => {
  await usesReplicas(app, 2);
  expect(await withoutPlaces(() => create("Doubted"))).toBe("undefined");
  await inStep();
  await each("pause");
  const { isThere, letGo } = holdNext("pg_walfile_name");
  const read = namesIn(app);
  await eventually(isThere);
  expect(await withoutPlaces(() => create("Doubted later"))).toBe("undefined");
  letGo();
  expect(await read).toContain("Doubted");
  expect(await namesIn(app)).toContain("Doubted later");
  await each("resume");
});

test("who changed something sees it where commits are answered before they are on disk", async () => {
  const { id } = await app.make.category();
  const setting = "ALTER ROLE shop IN DATABASE shop";
  const [writer] = (await servers.primary.tell(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'",
  )) as { pid: number }[];
  await servers.primary.tell(`${setting} SET synchronous_commit = off`);
  const hasty = await startReplica(app);
  try {
    await usesReplicas(hasty, 2);
    await usesReplicas(other, 2);
    await inStep();
    process.kill(writer!.pid, "SIGSTOP"); // so that the change stays in memory
    const position = await rename(hasty, AT_REST, id, "In memory");
    expect(await nameOf(hasty, AT_REST, id)).toBe("In memory");
    expect(await nameOf(hasty, BY_GRAPHQL, id)).toBe("In memory");
    expect(await nameOf(other, BY_GRAPHQL, id, position)).toBe("In memory");
  } finally {
    process.kill(writer!.pid, "SIGCONT");
    await servers.primary.tell(`${setting} RESET synchronous_commit`);
    await hasty.close();
  }
});

test("who changed something sees it though an earlier place in the log becomes known later", async () => {
  await usesReplicas(app, 2);
  const { isThere, letGo } = holdNext("pg_walfile_name");
  const earlier = create("Earlier");
  await eventually(isThere);
  await inStep();
  await each("pause");
  await create("Latest");
  letGo();
  await earlier;
  expect(await namesIn(app)).toContain("Latest");
  expect(await namesByGraphql(app)).toContain("Latest");
  await each("resume");
});

test("after a client that knows of a newer timeline, nobody is shown less than the primary has", async () => {
  await usesReplicas(app, 2);
  await inStep();
  await each("pause");
  await other.make.product({ name: "Known elsewhere" });
  const pool = connect({ ...app.settings.database, poolSize: 1 });
  const end = await endOfLog(pool).finally(() => pool.close());
  const newer = new SessionPositions(app.settings.data).textOf({ ...end, timeline: 9 });
  expect(await namesIn(app)).not.toContain("Known elsewhere");
  expect(await namesIn(app, newer)).toContain("Known elsewhere");
  expect(await namesIn(app)).toContain("Known elsewhere");
  await each("resume");
});

test("who changed something gets its position though as many requests as may wait for the database", async () => {
  const busy = await startReplica(app, {
    database: { poolSize: 1, queueLimit: 0 },
    catalogue: { cache: true },
    metrics: { port: 0 },
  });
  await usesReplicas(busy, 2);
  const { id } = await app.make.category();
  await each("pause");
  await rename(busy, AT_REST, id, "Only the primary has this");
  const holder = new Client({ connectionString: servers.primary.url });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("UPDATE categories SET name = name WHERE id = $1", [id]);
    const position = rename(busy, AT_REST, id, "Renamed");
    await eventually(async () => (await waitingForLocks(app)) === 1);
    const read = busy.http.get("/categories").then();
    await eventually(async () =>
      (await busy.metrics()).includes("\ntea_database_requests_waiting 1"),
    );
    await holder.query("ROLLBACK");
    expect(await position).toMatch(/^\d+\./);
    await read;
  } finally {
    await holder.end();
    await each("resume");
    await busy.close();
  }
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

test("others are behind for the longest lag at most, though the end of the log is told slowly", async () => {
  await inStep();
  const lag = 20_000;
  const late = await startReplica(app, { database: { replicaMaxLag: lag } });
  await usesReplicas(late, 2);
  await inStep();
  await each("pause");
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, "now");
  try {
    clock.mockImplementation(() => now() + 2 * lag);
    const { isThere, letGo } = holdNext("pg_walfile_name");
    const read = namesIn(late);
    await eventually(isThere);
    await create("Slowly");
    clock.mockImplementation(() => now() + 4 * lag);
    letGo();
    await read;
    expect(await namesIn(late)).toContain("Slowly");
  } finally {
    clock.mockRestore();
    await each("resume");
    await late.close();
  }
});

test("replicas share the reads, and one that lags leaves its own to the other", async () => {
  const shop = await startReplica(app, { metrics: { port: 0 }, catalogue: { cache: false } });
  await usesReplicas(shop, 2);
  const databases = [...servers.replicas.map(({ url }) => new URL(url).host), "primary"];
  /** How many of some reads each replica answers, and the primary. */
  const reads = async (position: string): Promise<number[]> => {
    const counts = async () => {
      const page = seriesIn(await shop.metrics());
      return databases.map((each) => page.get(`tea_reads_total{database="${each}"}`) ?? 0);
    };
    const before = await counts();
    for (let round = 0; round < 8; round += 1) await namesByGraphql(shop, position);
    return (await counts()).map((count, index) => count - (before[index] ?? 0));
  };
  const position = await create("Shared");
  await inStep();
  expect(await reads(position)).toEqual([4, 4, 0]);
  await servers.replicas[0]?.pause();
  const further = await create("Shared further");
  await inStep(servers.replicas.slice(1));
  expect(await reads(further)).toEqual([0, 8, 0]);
  await each("resume");
  await shop.close();
});

/** Milliseconds that the two processes of the rounds may be behind. */
const LAG = 50;

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

test("a client that has an answer of the catalogue gets 304 again and again", async () => {
  await usesReplicas(app, 2);
  await inStep();
  const { headers } = await app.http.get("/products").expect(200);
  const tag = String((headers as Record<string, string>).etag);
  for (let round = 0; round < 4; round += 1) {
    await app.http.get("/products").set("If-None-Match", tag).expect(304);
  }
});
