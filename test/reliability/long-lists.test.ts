import { useApp } from "../support/app";
import { eachOf } from "../support/each-of";
import { send, type Answer } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { idsIn } from "./long-lists";

jest.setTimeout(60_000);

const app = useApp();

let mixed: number;
beforeAll(async () => {
  mixed = (await app.make.category()).id;
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
});

const list = (category: number, method = "GET"): Promise<Answer> =>
  send(app.url, { method, path: `/products/category/${category}` });

// What takes more of them, or larger ones, is in crowded-long-lists.test.ts.
test("a long list is the same to the byte as its products one by one", async () => {
  const answer = await list(mixed);
  const products = await eachOf(await idsIn(app, mixed), async (id) => {
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

test("a list that can't be read is an ordinary error", async () => {
  await app.sql("ALTER TABLE products RENAME COLUMN description TO former");
  try {
    expectRefused(await list(mixed), 500);
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
