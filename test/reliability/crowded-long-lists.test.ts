/** @check */

import { startReplica } from "../support/app";
import { eventually } from "../support/eventually";
import { parsedLog } from "../support/log-lines";
import { send, type Answer } from "../support/raw-http";
import { errorBody } from "../support/refusals";
import {
  AT_ONCE,
  busyConnections,
  closeOf,
  idsIn,
  idsOf,
  LAST_CHUNK,
  received,
  stalled,
  takePlaces,
  useLongLists,
  WAITING,
} from "./long-lists";

jest.setTimeout(60_000);

const shop = useLongLists(["large", "huge"]);
const { app } = shop;

test("clients that stop reading hold no connection, and are cut before the list is whole", async () => {
  const sockets = await takePlaces(app.url, shop.large);
  expect(await busyConnections(app)).toBe(0);
  // Others are served meanwhile, and wait their turn for a list of that kind.
  expect((await send(app.url, { method: "GET", path: "/health/ready" })).status).toBe(200);
  const next = shop.list(shop.large);
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

/** The text that was sent in chunks. */
function unchunked(body: string): string {
  let [text, rest] = ["", body];
  for (;;) {
    const start = rest.indexOf("\r\n") + "\r\n".length;
    const size = parseInt(rest, 16);
    if (size === 0) return text;
    text += rest.slice(start, start + size);
    rest = rest.slice(start + size + "\r\n".length);
  }
}

test("a list that is sent while it is read shows one moment, whole and in its order", async () => {
  const ids = await idsIn(app, shop.huge);
  const socket = await stalled(app.url, shop.huge);
  expect(await busyConnections(app)).toBe(1);
  await app.sql("DELETE FROM products WHERE id = ANY($1)", [[ids.at(2), ids.at(-2)]]);
  await app.sql("UPDATE products SET created_at = now() WHERE id = $1", [ids.at(-3)]);
  socket.write("GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
  const [head, body] = (await received(socket)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1.1 200 [^]*\r\nTransfer-Encoding: chunked$/);
  expect((JSON.parse(unchunked(body!)) as { id: number }[]).map(({ id }) => id)).toEqual(ids);
  await eventually(async () => (await busyConnections(app)) === 0);
});

test("clients that stop reading a list which is sent while it is read are cut, and others wait for that", async () => {
  const sockets = await takePlaces(app.url, shop.huge);
  const others = await Promise.all(Array.from({ length: 3 }, () => shop.list(shop.huge)));
  const ends = parsedLog(app.log).filter(({ path }) => path === `/products/category/${shop.huge}`);
  expect(ends.at(-others.length - AT_ONCE)).toMatchObject({ msg: "cut off" });
  const ids = await idsIn(app, shop.huge);
  for (const other of others) expect(idsOf(other)).toEqual(ids);
  for (const socket of sockets) {
    expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  }
  await eventually(async () => (await busyConnections(app)) === 0);
});

test("a list that can't be read to its end is a broken answer", async () => {
  const socket = await stalled(app.url, shop.huge);
  await app.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  const head = await shop.list(shop.huge, "HEAD");
  expect([head.status, head.headers["content-length"], head.text]).toEqual([200, undefined, ""]);
});

test("a shop that closes breaks off the lists which it sends, and leaves no connection", async () => {
  const replica = await startReplica(app);
  const socket = await stalled(replica.url, shop.huge);
  expect(await busyConnections(app)).toBe(1);
  await replica.shop.close();
  expect(await busyConnections(app)).toBe(0);
  expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  await replica.close();
});

test("without a cache, the tag of a list that is sent while it is read is that of its text", async () => {
  const replica = await startReplica(app, { catalogue: { cache: false } });
  const path = `/products/category/${shop.huge}`;
  const answer = await send(replica.url, { method: "GET", path });
  expect(idsOf(answer)).toEqual(await idsIn(app, shop.huge));
  const headers = { "if-none-match": answer.headers.etag! };
  expect((await send(replica.url, { method: "GET", path, headers })).status).toBe(304);
  // No trigger tells the catalogue of the change.
  await app.sql(
    `ALTER TABLE products DISABLE TRIGGER USER;
     UPDATE products SET price = 2 WHERE id = (SELECT max(id) FROM products WHERE category_id = ${shop.huge});
     ALTER TABLE products ENABLE TRIGGER USER`,
  );
  expect((await send(replica.url, { method: "HEAD", path, headers })).status).toBe(200);
  await replica.close();
});

test("a long list whose products are deleted while it waits is empty", async () => {
  const [id = 0] = await shop.longCategories(1);
  const other = await app.make.category();
  const sockets = await takePlaces(app.url, shop.large);
  const waiting = shop.list(id);
  // It waits for a place once a later request was answered.
  expect((await shop.list(other.id)).body).toEqual([]);
  await eventually(async () => (await busyConnections(app)) === 0);
  await app.sql("DELETE FROM products WHERE category_id = $1", [id]);
  for (const socket of sockets) socket.destroy();
  const { status, text } = await waiting;
  expect([status, text]).toEqual([200, "[]"]);
});

test("more long lists than may wait are refused at once, short ones never", async () => {
  const categories = await shop.longCategories(WAITING + 3);
  const sockets = await takePlaces(app.url, shop.large);
  const refused: Answer[] = [];
  const others = categories.map(async (category) => {
    const answer = await shop.list(category);
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
  expect((await shop.list(id)).body).toEqual([]);
  for (const socket of sockets) socket.destroy();
  const answers = await Promise.all(others);
  const whole = answers.filter(({ status }) => status === 200);
  expect(whole).toHaveLength(WAITING);
  for (const { body } of whole) expect((body as unknown[]).length).toBe(1001);
  expect(await busyConnections(app)).toBe(0);
});

test("many who read the same list at once all get it whole, and wait as one", async () => {
  const { id } = await app.make.category();
  const [long = 0] = await shop.longCategories(1);
  const sockets = await takePlaces(app.url, shop.large);
  const reads = Array.from({ length: WAITING + 4 }, () => shop.list(long));
  // They wait for a place once a later request was answered, and nothing is read for them any more.
  expect((await shop.list(id)).body).toEqual([]);
  await eventually(async () => (await busyConnections(app)) === 0);
  for (const socket of sockets) socket.destroy();

  const [first, ...others] = await Promise.all(reads);
  expect((first!.body as unknown[]).length).toBe(1001);
  for (const { status, text } of others)
    expect([status, text === first!.text]).toEqual([200, true]);
});
