import { SessionPositions } from "../../src/reads/position";
import { startReplica } from "../support/app";
import { clause } from "../support/clause";
import { eventually } from "../support/eventually";
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
import { create, endOfLogOf, namesByGraphql, namesIn } from "./positions";

jest.setTimeout(120_000);

const { app, each, inStep, other, servers } = useReplicatedShop();

clause("11.positions", "writers see what they wrote", { doors: ["REST", "GraphQL"] }, async () => {
  await usesReplicas(app, 2);
  await usesReplicas(other, 2);
  await inStep();
  expect(await namesIn(other)).toEqual([]);
  await each("pause");
  const position = await create(app, "New");
  expect(await namesIn(app)).toEqual(["New"]);
  expect(await namesByGraphql(app)).toEqual(["New"]);
  // Without the position, the other process reads a replica, which lags for less than an hour.
  await eventually(async () => (await namesIn(other)).length === 0);
  await eventually(async () => (await namesByGraphql(other)).length === 0);
  expect(await namesIn(other, position)).toEqual(["New"]);
  expect(await namesByGraphql(other, position)).toEqual(["New"]);
  await each("resume");
  await eventually(async () => (await namesIn(other)).includes("New"));
});

clause("11.positions", "odd positions are harmless", { doors: ["REST", "GraphQL"] }, async () => {
  await inStep();
  await each("pause");
  const position = await create(app, "Newer");
  const [timeline, place, signature = ""] = position.split(".");
  const told = { timeline: Number(timeline), place: BigInt(String(place)) };
  const { data } = app.settings;
  const forged = [
    // Of another database of the same secret, such as a restored one; of another secret.
    new SessionPositions(data).textOf({ ...told, identity: "1/1" }),
    new SessionPositions({ ...data, secret: "x".repeat(64) }).textOf({
      ...told,
      identity: (await endOfLogOf(app)).identity,
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
});

test("others are behind for the longest lag at most", async () => {
  await inStep();
  const prompt = await startReplica(app, { database: { replicaMaxLag: 200 } });
  const exact = await startReplica(app, { database: { replicaMaxLag: 0 } });
  await usesReplicas(prompt, 2);
  await usesReplicas(exact, 2);
  await inStep();
  await each("pause");
  await create(app, "Late");
  expect(await namesIn(exact)).toContain("Late");
  await eventually(async () => (await namesIn(prompt)).includes("Late"));
  await each("resume");
  await Promise.all([prompt.close(), exact.close()]);
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
  const position = await create(app, "Shared");
  await inStep();
  expect(await reads(position)).toEqual([4, 4, 0]);
  await servers.replicas[0]?.pause();
  const further = await create(app, "Shared further");
  await inStep(servers.replicas.slice(1));
  expect(await reads(further)).toEqual([0, 8, 0]);
  await each("resume");
  await shop.close();
});

/** Milliseconds that the two processes of the rounds may be behind. */
const LAG = 50;

clause("11.positions", "nobody sees less than told", { doors: ["REST", "GraphQL"] }, async () => {
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
});

clause("11.positions", "changes say where they are", { doors: ["REST", "GraphQL"] }, async () => {
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
});
