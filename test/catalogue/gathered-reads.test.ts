/** @check */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { startReplica, useApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { repetitions } from "../support/repetitions";

const app = useApp({ catalogue: { cache: false }, database: { poolSize: 4 } });
beforeAll(async () => {
  await app.make.category();
  for (let count = 0; count < 20; count += 1) await app.make.product();
});

/** Makes calls, the first of which is kept waiting by a lock until the others have been made too. */
async function heldUp<Result>(of: TestApp, call: () => Promise<Result>): Promise<Result> {
  return besideLock(of, "LOCK products IN ACCESS EXCLUSIVE MODE", async (holder) => {
    const calls = call();
    await eventually(async () => (await waitingForLocks(of)) > 0);
    await holder.query("COMMIT");
    return await calls;
  });
}

/** The number of statements that the calls cause while the first of them is kept waiting by a lock. */
async function statementsOf(of: TestApp, call: () => Promise<unknown>): Promise<number> {
  const spy = jest.spyOn(Client.prototype, "query");
  await heldUp(of, call);
  const statements = spy.mock.calls as unknown as [string | { text: string }][];
  spy.mockRestore();
  return statements.filter(([statement]) => typeof statement === "object").length;
}

const ids = Array.from({ length: 30 }, (_, index) => index + 1);

/** Reads paths by requests that arrive in one piece, and returns the answers' statuses and bodies in their order. */
async function readTogether(of: TestApp, paths: readonly string[]): Promise<[number, string][]> {
  const { hostname, port } = new URL(of.url);
  const socket = connect(Number(port), hostname);
  const ends = paths.map((_, index) => (index === paths.length - 1 ? "Connection: close\r\n" : ""));
  socket.write(
    paths.map((path, index) => `GET ${path} HTTP/1.1\r\nHost: shop\r\n${ends[index]}\r\n`).join(""),
  );
  const answers = (await text(socket)).split("HTTP/1.1 ").slice(1);
  return answers.map((answer) => [parseInt(answer, 10), answer.split("\r\n\r\n")[1]!]);
}

async function readAll(of: TestApp): Promise<void> {
  const answers = await readTogether(
    of,
    ids.map((id) => `/products/${id}`),
  );
  for (const [index, [status, body]] of answers.entries()) {
    const id = ids[index]!;
    const { id: found } = JSON.parse(body) as { id?: number };
    expect([id, status, found]).toEqual(id <= 20 ? [id, 200, id] : [id, 404, undefined]);
  }
  expect(answers).toHaveLength(ids.length);
}

test("products that are asked for at the same time are read together, and who asks in vain fails alone", async () => {
  expect(await statementsOf(app, () => readAll(app))).toBeLessThan(10);
});

test("requests for one page share a statement", async () => {
  const pages = async () => {
    const answers = await readTogether(
      app,
      ids.map(() => "/products?pageSize=5"),
    );
    expect(answers.map(([status]) => status)).toEqual(ids.map(() => 200));
  };
  expect(await statementsOf(app, pages)).toBeLessThan(10);
});

test("an answer is of a moment after its request arrived", async () => {
  for (let round = 0; round < repetitions({ few: 15, all: 50 }); round += 1) {
    const name = `Tea ${round}`;
    const others = ids.map((id) => app.http.get(`/products/${1 + (id % 3)}`).expect(200));
    await app.sql("UPDATE products SET name = $1 WHERE id = 1", [name]);
    const { body } = await app.http.get("/products/1").expect(200);
    expect((body as { name: string }).name).toBe(name);
    await Promise.all(others);
  }
});

test("who asks at the same time as others for something else gets what they asked for, then and from the cache", async () => {
  const categories = [await app.make.category(), await app.make.category()];
  for (const { id } of categories) await app.make.product({ category_id: id });
  const paths = [
    ...categories.map(({ id }) => `/products/category/${id}`),
    ...["/products?pageSize=2", "/products?pageSize=3", "/products?page=2&pageSize=2"],
    ...["/products?page=1&pageSize=12", "/products?page=11&pageSize=2"],
    ...["/categories", "/products/1", "/products/2"],
  ];
  const separate = await startReplica(app, { catalogue: { cache: false } });
  const expected = new Map<string, string>();
  for (const path of paths) expected.set(path, (await separate.http.get(path)).text);
  await separate.close();
  expect(new Set(expected.values()).size).toBe(paths.length);
  for (const order of [paths, paths.toReversed()]) {
    const cached = await startReplica(app, {
      catalogue: { cache: true },
      database: { poolSize: 10 },
    });
    try {
      const answers = await heldUp(cached, () => readTogether(cached, order));
      expect(answers).toEqual(order.map((path) => [200, expected.get(path)]));
      for (const path of order) {
        expect([path, (await cached.http.get(path)).text]).toEqual([path, expected.get(path)]);
      }
    } finally {
      await cached.close();
    }
  }
});
