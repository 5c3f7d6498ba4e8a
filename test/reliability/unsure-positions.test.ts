/** @check */

import { Client } from "pg";
import { SessionPositions } from "../../src/reads/position";
import { startReplica } from "../support/app";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import {
  AT_REST,
  BY_GRAPHQL,
  nameOf,
  rename,
  usesReplicas,
  useReplicatedShop,
} from "../support/replicated-shop";
import { create, endOfLogOf, namesByGraphql, namesIn } from "./positions";

jest.setTimeout(120_000);

const { app, each, inStep, other, servers } = useReplicatedShop();

test("who sends a position reads a replica that has reached it", async () => {
  await usesReplicas(other, 2);
  const position = await create(app, "Reached");
  await inStep();
  await each("pause");
  await app.sql("UPDATE products SET name = 'Beside' WHERE name = 'Reached'");
  // The primary would say the new name.
  await eventually(async () => (await namesIn(other, position)).includes("Reached"));
  expect(await namesByGraphql(other, position)).toContain("Reached");
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
    expect(await create(app, "Without a place")).toBe("undefined");
    expect(await namesIn(app)).toContain("Without a place");
  });
  expect(await namesIn(app)).toContain("Without a place");
  expect(await namesByGraphql(app)).toContain("Without a place");
});

/** Holds back the answer of the next statement with such a text; returns when it is there, and lets it go. */
function holdNext(text: string): { isThere: () => boolean; letGo: () => void } {
  let letGo: (() => void) | undefined;
  const sent = jest.spyOn(Client.prototype, "query") as unknown as jest.SpyInstance<
    unknown,
    [{ text?: string }, ...unknown[]]
  >;
  const send = sent.getMockImplementation()!;
  sent.mockImplementation(function (this: Client, query, ...rest) {
    if (!query.text?.includes(text)) return send.call(this, query, ...rest);
    sent.mockRestore();
    const done = rest.at(-1) as (...result: unknown[]) => void;
    return send.call(this, query, (...result: unknown[]) => (letGo = () => done(...result)));
  });
  return { isThere: () => letGo !== undefined, letGo: () => letGo?.() };
}

test("who changed something sees it though the place of an earlier change becomes known meanwhile", async () => {
  await usesReplicas(app, 2);
  expect(await withoutPlaces(() => create(app, "Doubted"))).toBe("undefined");
  await inStep();
  await each("pause");
  const { isThere, letGo } = holdNext("pg_walfile_name");
  const read = namesIn(app);
  await eventually(isThere);
  expect(await withoutPlaces(() => create(app, "Doubted later"))).toBe("undefined");
  letGo();
  expect(await read).toContain("Doubted");
  expect(await namesIn(app)).toContain("Doubted later");
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
  const earlier = create(app, "Earlier");
  await eventually(isThere);
  await inStep();
  await each("pause");
  await create(app, "Latest");
  letGo();
  await earlier;
  expect(await namesIn(app)).toContain("Latest");
  expect(await namesByGraphql(app)).toContain("Latest");
});

test("after a client that knows of a newer timeline, nobody is shown less than the primary has", async () => {
  await usesReplicas(app, 2);
  await inStep();
  await each("pause");
  await other.make.product({ name: "Known elsewhere" });
  const end = await endOfLogOf(app);
  const newer = new SessionPositions(app.settings.data).textOf({ ...end, timeline: 9 });
  expect(await namesIn(app)).not.toContain("Known elsewhere");
  expect(await namesIn(app, newer)).toContain("Known elsewhere");
  expect(await namesIn(app)).toContain("Known elsewhere");
});

test("who changed something gets its position though as many requests as may wait for the database", async () => {
  const busy = await startReplica(app, {
    database: { poolSize: 1, queueLimit: 0 },
    catalogue: { cache: true },
    metrics: { port: 0 },
  });
  // Its only connection may be in use by what it does by itself.
  await usesReplicas(busy, 2, true);
  const { id } = await app.make.category();
  await each("pause");
  await rename(busy, AT_REST, id, "Only the primary has this");
  const update = `UPDATE categories SET name = name WHERE id = ${id}`;
  await besideLock({ database: servers.primary }, update, async (holder) => {
    const position = rename(busy, AT_REST, id, "Renamed");
    await eventually(async () => (await waitingForLocks(app)) === 1);
    const read = busy.http.get("/categories").then();
    await eventually(async () =>
      (await busy.metrics()).includes("\ntea_database_requests_waiting 1"),
    );
    await holder.query("ROLLBACK");
    expect(await position).toMatch(/^\d+\./);
    await read;
  });
  await each("resume");
  await busy.close();
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
    await create(app, "Slowly");
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
