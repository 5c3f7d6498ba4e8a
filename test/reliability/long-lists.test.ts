import { once } from "node:events";
import type { Socket } from "node:net";
import { useApp } from "../support/app";
import { eachOf } from "../support/each-of";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { parsedLog } from "../support/log-lines";
import { openSocket, send, type Answer } from "../support/raw-http";
import { errorBody, expectRefused } from "../support/refusals";

jest.setTimeout(60_000);

/** Long lists that are sent at a time, and that wait. */
const AT_ONCE = 2;
const WAITING = 16;

const LAST_CHUNK = "\r\n0\r\n\r\n";

const app = useApp({ database: { poolSize: 1 } });

/** A category with a list of 1.1 million characters, among them all that JSON escapes or might. */
let long: number;
/** A category with a list that is longer than the system's buffers. */
let large: number;
beforeAll(async () => {
  long = (await app.make.category()).id;
  large = (await app.make.category()).id;
  // Ties of time, and pairs of surrogates wherever the list may be cut.
  const texts = Array.from({ length: 0x11 }, (_, page) =>
    Array.from({ length: 0x1000 }, (__, low) => String.fromCodePoint(page * 0x1000 + low + 1))
      .filter((character) => character.isWellFormed())
      .join(""),
  );
  for (const [index, description] of texts.entries()) {
    const name = `Tea "${index}" \\ </script> \u2028 ${String.fromCodePoint(index + 1)} 🍵`;
    await app.make.product({ category_id: long, name, description, price: `${index}.5` });
  }
  const fill = `
    INSERT INTO products (name, slug, description, price, is_active, category_id, created_at)
    SELECT 'Tea ' || n, $1::text || '-' || n, repeat($2, $4), n / 100.0, n % 2 = 0, $1::integer,
           timestamptz '2026-01-31 12:00:00+00' - (n / 3) * interval '1 millisecond'
    FROM generate_series(1, $3::integer) AS n`;
  await app.sql(fill, [long, "t", 300, 3800]);
  await app.sql(
    `INSERT INTO categories (name, slug, is_active, created_at)
     SELECT 'Tea "' || n % 700 || '" 🍵', 'many-' || n, n % 2 = 0, '2026-01-31 12:00:00.12+00'
     FROM generate_series(1, 9500) AS n`,
  );
  await app.sql(fill, [large, "A long text about a leaf. ", 3000, 190]);
});

const list = (category: number, method = "GET", headers = {}): Promise<Answer> =>
  send(app.url, { method, path: `/products/category/${category}`, headers });

/** The ids of a category's products in the order of its list. */
async function idsIn(category: number): Promise<number[]> {
  const [row] = await app.sql<{ ids: number[] }>(
    `SELECT array_agg(id ORDER BY created_at DESC, id DESC) AS ids
     FROM products WHERE category_id = $1`,
    [category],
  );
  return row!.ids;
}

/** A client that asks for the large list, and reads no further than the head of the answer. */
async function stalled(): Promise<Socket> {
  const socket = openSocket(app.url);
  socket.on("error", () => undefined);
  socket.write(`GET /products/category/${large} HTTP/1.1\r\nHost: shop\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** All that a client receives until its connection is closed. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => void socket.once("close", resolve));
  return Buffer.concat(chunks).toString("latin1");
}

/** Sessions of the service that have a transaction open. */
const inTransactions = async (): Promise<number> => {
  const sessions = await app.sql(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tea-shop' AND state <> 'idle'`,
  );
  return sessions.length;
};
const allEnded = () => eventually(async () => (await inTransactions()) === 0);

test("a long list is the same to the byte as its products one by one", async () => {
  const answer = await list(long);
  expect(answer.text.length).toBeGreaterThan(1_000_000);
  const products = await eachOf(await idsIn(long), async (id) => {
    return (await send(app.url, { method: "GET", path: `/products/${id}` })).text;
  });
  expect(answer.text).toBe(`[${products.join(",")}]`);
});

test("a long list has the headers of a short one but for its length, and a tag until the catalogue changes", async () => {
  const product = await app.make.product();
  const short = await list(product.category_id);
  const answer = await list(long);
  const { "content-length": _, ...others } = short.headers;
  expect(Object.keys(answer.headers).sort()).toEqual(
    [...Object.keys(others), "transfer-encoding"].sort(),
  );
  const head = await list(long, "HEAD");
  expect([head.status, head.headers.etag, head.text]).toEqual([200, answer.headers.etag, ""]);
  const same = { "if-none-match": answer.headers.etag! };
  expect((await list(long, "GET", same)).status).toBe(304);
  await app.sql("UPDATE products SET price = 2 WHERE id = $1", [product.id]);
  expect((await list(long, "GET", same)).status).toBe(200);
});

test("a list that can't be read is an ordinary error", async () => {
  await app.sql("ALTER TABLE products RENAME COLUMN description TO former");
  try {
    expectRefused(await list(long), 500);
  } finally {
    await app.sql("ALTER TABLE products RENAME COLUMN former TO description");
  }
});

test("the list of very many categories is a long list as well", async () => {
  const answer = await send(app.url, { method: "GET", path: "/categories" });
  const rows = await app.sql<{ createdAt: Date }>(
    `SELECT id, name, slug, is_active AS "isActive", created_at AS "createdAt"
     FROM categories ORDER BY lower(name), id`,
  );
  expect(answer.text).toBe(JSON.stringify(rows));
  expect(answer.headers).toMatchObject({ "transfer-encoding": "chunked" });
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

test("a client that pauses gets the list of one moment, whole and in its order", async () => {
  const ids = await idsIn(large);
  const socket = await stalled();
  await app.sql("DELETE FROM products WHERE id = ANY($1)", [[ids.at(2), ids.at(-2)]]);
  await app.sql("UPDATE products SET created_at = now() WHERE id = $1", [ids.at(-3)]);
  expect(await inTransactions()).toBe(1);
  socket.write("GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
  const [head, body] = (await received(socket)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1.1 200 /);
  expect((JSON.parse(unchunked(body!)) as { id: number }[]).map(({ id }) => id)).toEqual(ids);
  await allEnded();
});

test("a list that can't be read to its end is a broken answer", async () => {
  const socket = await stalled();
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`;
  await eventually(async () => (await app.sql(end)).length > 0);
  expect((await received(socket)).endsWith(LAST_CHUNK)).toBe(false);
  await eventually(() => parsedLog(app.log).some(({ level }) => level === "error"));
});

test("long lists beyond those that may wait are refused at once, short ones never, and the others are sent whole", async () => {
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, stalled));
  const refused: Answer[] = [];
  const others = Array.from({ length: WAITING + 1 }, async () => {
    const answer = await list(long);
    if (answer.status === 503) refused.push(answer);
    return answer;
  });
  await eventually(() => refused.length === 1);
  expect(refused[0]).toMatchObject({ headers: { "retry-after": "1" }, body: errorBody(503) });
  expect((await list((await app.make.category()).id)).body).toEqual([]);
  for (const socket of sockets) socket.destroy();
  const answers = await Promise.all(others);
  const whole = answers.filter(({ status }) => status === 200);
  // On a busy machine, some may have waited for too long.
  expect(whole.length).toBeGreaterThan(AT_ONCE);
  for (const { body } of whole) expect(body).toHaveLength(317);
  await allEnded();
});

test("a list whose client is gone ends in the database, and its connection is closed", async () => {
  const errors = () => parsedLog(app.log).filter(({ level }) => level === "error").length;
  const before = errors();
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, stalled));
  const gone = openSocket(app.url);
  gone.write("GET /categories HTTP/1.1\r\nHost: shop\r\n\r\n");
  // It waits for its place once the one connection of the pool has served a later request.
  expect((await list((await app.make.category()).id)).body).toEqual([]);
  await besideLock(app, "LOCK categories IN ACCESS EXCLUSIVE MODE", async () => {
    for (const socket of sockets) socket.destroy();
    await eventually(async () => (await waitingForLocks(app)) === 1);
    gone.destroy();
    await eventually(async () => (await waitingForLocks(app)) === 0);
  });
  await allEnded();
  expect(errors()).toBe(before);
});
