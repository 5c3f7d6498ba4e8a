import { once } from "node:events";
import type { Socket } from "node:net";
import { eachOf } from "../support/each-of";
import { startReplica, useApp } from "../support/app";
import { parsedLog } from "../support/log-lines";
import { openSocket, send, type Answer } from "../support/raw-http";
import { eventually } from "../support/eventually";
import { errorBody, expectRefused } from "../support/refusals";

jest.setTimeout(60_000);

/** Long lists in memory at one time, and waiting for it. */
const AT_ONCE = 2;
const WAITING = 16;

let mixed: number;
let large: number;
/** More than is read before it is sent. */
let huge: number;
const app = useApp();
beforeAll(async () => {
  mixed = (await app.make.category()).id;
  large = (await app.make.category()).id;
  huge = (await app.make.category()).id;
  // Every character that JSON escapes or might, in one list of three parts, ties of time, and pairs of
  // surrogates wherever the list may be cut.
  const texts = Array.from({ length: 0x11 }, (_, page) =>
    Array.from({ length: 0x1000 }, (__, low) => String.fromCodePoint(page * 0x1000 + low + 1))
      .filter((character) => character.isWellFormed())
      .join(""),
  );
  for (const [index, description] of texts.entries()) {
    const name = `Tea "${index}" \\ </script> \u2028 ${String.fromCodePoint(index + 1)} 🍵`;
    await app.make.product({ category_id: mixed, name, description, price: `${index}.5` });
  }
  await app.sql(
    `INSERT INTO products (name, slug, description, price, is_active, category_id, created_at)
     SELECT 'Tea ' || n, 'mixed-' || n, repeat('🍵', 200), n / 100.0, n % 2 = 0, $1,
            timestamptz '2026-01-31 12:00:00+00' - (n / 3) * interval '1 millisecond'
     FROM generate_series(1, 2000) AS n`,
    [mixed],
  );
  // More than the system's buffers hold.
  await app.sql(
    `INSERT INTO products (name, slug, description, price, category_id)
     SELECT 'Tea ' || n, category || '-' || n, repeat('leaf ', 1000), 1, category
     FROM unnest($1::integer[], $2::integer[]) AS list (category, size), generate_series(1, size) AS n`,
    [
      [large, huge],
      [3000, 5500],
    ],
  );
});

const list = (category: number, method = "GET"): Promise<Answer> =>
  send(app.url, { method, path: `/products/category/${category}` });

/** A client that asks for a list, and reads no further than the head of the answer. */
async function stalled(category = large, url = app.url): Promise<Socket> {
  const socket = openSocket(url);
  socket.on("error", () => undefined);
  socket.write(`GET /products/category/${category} HTTP/1.1\r\nHost: shop\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** Resolves when a connection is closed, whether or not it is reset: whoever is cut off may be told so. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once("close", () => resolve()));

/** All that a client receives until its connection is closed. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await closeOf(socket);
  return Buffer.concat(chunks).toString("latin1");
}

/** What an answer in chunks ends with. */
const LAST_CHUNK = "\r\n0\r\n\r\n";

/** The ids of a category's products in the order of its list. */
async function idsIn(category: number): Promise<number[]> {
  const [row] = await app.sql<{ ids: number[] }>(
    `SELECT array_agg(id ORDER BY created_at DESC, id DESC) AS ids
     FROM products WHERE category_id = $1`,
    [category],
  );
  return row!.ids;
}

const idsOf = ({ body }: Answer): number[] => (body as { id: number }[]).map(({ id }) => id);

const busyConnections = async (): Promise<number> => {
  const [row] = await app.sql<{ busy: number }>(
    `SELECT count(*)::integer AS busy FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tea-shop' AND state <> 'idle'`,
  );
  return row!.busy;
};

test("a long list is the same to the byte as its products one by one", async () => {
  const answer = await list(mixed);
  const products = await eachOf(await idsIn(mixed), async (id) => {
    return (await send(app.url, { method: "GET", path: `/products/${id}` })).text;
  });
  expect(answer.text).toBe(`[${products.join(",")}]`);
});

test("a long list has the status and headers of a short one", async () => {
  const { id } = await app.make.category();
  await app.make.product({ category_id: id });
  const short = await list(id);
  const long = await list(mixed);
  expect(long.status).toBe(200);
  expect(Object.keys(long.headers).sort()).toEqual(Object.keys(short.headers).sort());
  expect(long.headers["content-type"]).toBe(short.headers["content-type"]);
  expect(long.headers["content-length"]).toBe(String(Buffer.byteLength(long.text)));

  const head = await list(mixed, "HEAD");
  expect([head.status, head.headers["content-length"], head.text]).toEqual([
    200,
    long.headers["content-length"],
    "",
  ]);
});

test("clients that stop reading hold no connection, and are cut before the list is whole", async () => {
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => stalled()));
  expect(await busyConnections()).toBe(0);
  // Others are served meanwhile, and wait their turn for a list of that kind.
  expect((await send(app.url, { method: "GET", path: "/health/ready" })).status).toBe(200);
  const next = list(large);
  const lengths = await Promise.all(
    sockets.map(async (socket) => {
      const chunks: Buffer[] = [];
      const head = (socket.read() as Buffer | null)?.toString("latin1") ?? "";
      await next;
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      await closeOf(socket);
      const [, length] = /content-length: ([0-9]+)/i.exec(head)!;
      return Number(length) - head.length - Buffer.concat(chunks).length;
    }),
  );
  for (const missing of lengths) expect(missing).toBeGreaterThan(0);
  const { status, body } = await next;
  expect([status, (body as unknown[]).length]).toEqual([200, 3000]);
});

test("a list that is sent while it is read shows one moment, whole and in its order", async () => {
  const ids = await idsIn(huge);
  const socket = await stalled(huge);
  expect(await busyConnections()).toBe(1);
  await app.sql("DELETE FROM products WHERE id = ANY($1)", [[ids.at(2), ids.at(-2)]]);
  await app.sql("UPDATE products SET created_at = now() WHERE id = $1", [ids.at(-3)]);
  socket.write("GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
  const [head, body] = (await received(socket)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1.1 200 [^]*\r\nTransfer-Encoding: chunked$/);
  expect([...body!.matchAll(/\{"id":(\d+)/g)].map(([, id]) => Number(id))).toEqual(ids);
  await eventually(async () => (await busyConnections()) === 0);
});

test("clients that stop reading a list which is sent while it is read are cut, and others wait for that", async () => {
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => stalled(huge)));
  const others = await Promise.all(Array.from({ length: 3 }, () => list(huge)));
  const ends = parsedLog(app.log).filter(({ path }) => path === `/products/category/${huge}`);
  expect(ends.at(-others.length - AT_ONCE)).toMatchObject({ msg: "cut off" });
  const ids = await idsIn(huge);
  for (const other of others) expect(idsOf(other)).toEqual(ids);
  for (const socket of sockets) {
    expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  }
  await eventually(async () => (await busyConnections()) === 0);
});

test("a list that can't be read to its end is a broken answer", async () => {
  const socket = await stalled(huge);
  await app.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  const head = await list(huge, "HEAD");
  expect([head.status, head.headers["content-length"], head.text]).toEqual([200, undefined, ""]);
});

test("a shop that closes breaks off the lists which it sends, and leaves no connection", async () => {
  const replica = await startReplica(app);
  const socket = await stalled(huge, replica.url);
  expect(await busyConnections()).toBe(1);
  await replica.shop.close();
  expect(await busyConnections()).toBe(0);
  expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  await replica.close();
});

test("without a cache, the tag of a list that is sent while it is read is that of its text", async () => {
  const replica = await startReplica(app, { catalogue: { cache: false } });
  const path = `/products/category/${huge}`;
  const answer = await send(replica.url, { method: "GET", path });
  expect(idsOf(answer)).toEqual(await idsIn(huge));
  const headers = { "if-none-match": answer.headers.etag! };
  expect((await send(replica.url, { method: "GET", path, headers })).status).toBe(304);
  // No trigger tells the catalogue of the change.
  await app.sql(
    `ALTER TABLE products DISABLE TRIGGER USER;
     UPDATE products SET price = 2 WHERE id = (SELECT max(id) FROM products WHERE category_id = ${huge});
     ALTER TABLE products ENABLE TRIGGER USER`,
  );
  expect((await send(replica.url, { method: "HEAD", path, headers })).status).toBe(200);
  await replica.close();
});

test("many who read the same list at once all get it whole, and wait as one", async () => {
  const { id } = await app.make.category();
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => stalled()));
  const reads = Array.from({ length: WAITING + 4 }, () => list(mixed));
  // They wait for a place once a later request was answered, and nothing is read for them any more.
  expect((await list(id)).body).toEqual([]);
  await eventually(async () => (await busyConnections()) === 0);
  for (const socket of sockets) socket.destroy();

  const [first, ...others] = await Promise.all(reads);
  expect((first!.body as unknown[]).length).toBe(2017);
  for (const { status, text } of others)
    expect([status, text === first!.text]).toEqual([200, true]);
});

test("a long list whose products are deleted while it waits is empty", async () => {
  const [{ id }, other] = [await app.make.category(), await app.make.category()];
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Tea ' || n, 'gone-' || n, 1, $1 FROM generate_series(1, 1001) AS n`,
    [id],
  );
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => stalled()));
  const waiting = list(id);
  // It waits for a place once a later request was answered.
  expect((await list(other.id)).body).toEqual([]);
  await eventually(async () => (await busyConnections()) === 0);
  await app.sql("DELETE FROM products WHERE category_id = $1", [id]);
  for (const socket of sockets) socket.destroy();
  const { status, text } = await waiting;
  expect([status, text]).toEqual([200, "[]"]);
});

test("more long lists than may wait are refused at once, short ones never", async () => {
  const categories: number[] = [];
  for (let n = 0; n < WAITING + 3; n += 1) categories.push((await app.make.category()).id);
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Tea ' || n, 'many-' || id || '-' || n, 1, id
     FROM unnest($1::integer[]) AS id, generate_series(1, 1001) AS n`,
    [categories],
  );
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => stalled()));
  const refused: Answer[] = [];
  const others = categories.map(async (category) => {
    const answer = await list(category);
    if (answer.status === 503) refused.push(answer);
    return answer;
  });
  await eventually(() => refused.length === 3);
  expect(refused[0]).toMatchObject({
    status: 503,
    headers: { "retry-after": "1" },
    body: errorBody(503),
  });
  const { id } = await app.make.category();
  expect((await list(id)).body).toEqual([]);
  for (const socket of sockets) socket.destroy();
  const answers = await Promise.all(others);
  const whole = answers.filter(({ status }) => status === 200);
  expect(whole).toHaveLength(WAITING);
  for (const { body } of whole) expect((body as unknown[]).length).toBe(1001);
  expect(await busyConnections()).toBe(0);
});

test("a list that can't be read is an ordinary error", async () => {
  await app.sql("ALTER TABLE products RENAME COLUMN description TO former");
  try {
    expectRefused(await list(large), 500);
  } finally {
    await app.sql("ALTER TABLE products RENAME COLUMN former TO description");
  }
});

test("the list of very many categories is a long list as well", async () => {
  await app.sql(
    `INSERT INTO categories (name, slug, is_active, created_at)
     SELECT 'Tea "' || n % 700 || '" 🍵', 'many-' || n, n % 2 = 0, '2026-01-31 12:00:00.12+00'
     FROM generate_series(1, 2500) AS n`,
  );
  const readCategories = () => send(app.url, { method: "GET", path: "/categories" });
  const answer = await readCategories();
  const rows = await app.sql<{ createdAt: Date }>(
    `SELECT id, name, slug, is_active AS "isActive", created_at AS "createdAt"
     FROM categories ORDER BY lower(name), id`,
  );
  expect(answer.text).toBe(JSON.stringify(rows));
  expect((await readCategories()).headers.etag).toBe(answer.headers.etag);
});
