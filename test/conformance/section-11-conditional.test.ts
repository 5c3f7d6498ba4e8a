import { startApp, startReplica, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { send, type Answer } from "../support/raw-http";

jest.setTimeout(60_000);

const ORIGIN = "https://shop.example.com";

/** The shop, with its answers kept and not kept. */
const shops: Record<"kept" | "read anew", () => TestApp> = {
  kept: () => keeping,
  "read anew": () => reading,
};

/** More products than one part of a list has, too long to be kept. */
const MANY = 2_500;

let keeping: TestApp;
let reading: TestApp;
let product: { id: number; category_id: number };
let large: { id: number };
beforeAll(async () => {
  keeping = await startApp({ http: { corsOrigins: [ORIGIN] } });
  reading = await startReplica(keeping, { catalogue: { cache: false } });
  product = await keeping.make.product();
  large = await keeping.make.category();
  await keeping.sql(
    `INSERT INTO products (name, slug, description, price, category_id)
     SELECT 'Tea ' || n, 'many-' || n, repeat('Té', 100), n, $1
     FROM generate_series(1, $2::integer) AS n`,
    [large.id, MANY],
  );
});
afterAll(async () => {
  await reading.close();
  await keeping.close();
});

const request = (
  shop: TestApp,
  path: string,
  { method = "GET", ...headers }: { method?: string; [name: string]: string } = {},
): Promise<Answer> => send(shop.url, { method, path, headers });

const paths = (): string[] => [
  "/categories",
  "/products",
  "/products?page=2&pageSize=3",
  `/products/${product.id}`,
  `/PRODUCTS/0${product.id}/`,
  `/products/category/${product.category_id}`,
  `/products/category/${large.id}`,
];

/** Changes a product of each list, on each page that is read. */
const changePrices = () =>
  keeping.sql(
    `UPDATE products SET price = price + 1
     WHERE id = $1 OR id > (SELECT max(id) - 10 FROM products)`,
    [product.id],
  );

const without = ({ headers }: Answer, ...names: string[]): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

clauseEach(
  "11.conditional",
  "every read has a strong tag, the same until the catalogue changes",
  shops,
  async (shop) => {
    for (const path of paths()) {
      const first = await request(shop(), path);
      const second = await request(shop(), path);
      const head = await request(shop(), path, { method: "HEAD" });
      expect([first.status, second.status, head.status]).toEqual([200, 200, 200]);
      expect(first.headers.etag).toMatch(/^"[\w-]{43}"$/);
      expect(first.headers["cache-control"]).toBe("no-cache");
      expect(second.text).toBe(first.text);
      const varying = ["x-request-id", "date"];
      expect(without(second, ...varying)).toEqual(without(first, ...varying));
      expect(without(head, ...varying)).toEqual(without(first, ...varying));
      expect(head.text).toBe("");
      await changePrices();
      const third = await request(shop(), path);
      if (path !== "/categories") expect(third.headers.etag).not.toBe(first.headers.etag);
    }
  },
);

const matching: Record<string, (tag: string) => string> = {
  "the tag": (tag) => tag,
  "the tag made weak": (tag) => `W/${tag}`,
  "the tag in a list": (tag) => `"a", ${tag},W/"b, c"`,
  "any tag": () => " * ",
};

clauseEach("11.conditional.match", "is 304 without a body", matching, async (field) => {
  for (const shop of [keeping, reading]) {
    for (const path of paths()) {
      const whole = await request(shop, path);
      for (const method of ["GET", "HEAD"]) {
        const headers = { method, "if-none-match": field(whole.headers.etag!), origin: ORIGIN };
        const answer = await request(shop, path, headers);
        expect([path, answer.status, answer.text]).toEqual([path, 304, ""]);
        const allowed = { "access-control-allow-origin": ORIGIN };
        expect(answer.headers).toMatchObject({
          ...without(whole, "date", "x-request-id", "content-type", "content-length"),
          ...allowed,
        });
        expect(answer.headers["x-request-id"]).toBeDefined();
      }
    }
  }
});

clauseEach("11.conditional.match", "is 200 after a change", shops, async (shop) => {
  for (const path of paths()) {
    const { headers } = await request(shop(), path);
    await changePrices();
    await keeping.sql("UPDATE categories SET name = name || '.'");
    const answer = await request(shop(), path, { "if-none-match": headers.etag! });
    expect([path, answer.status]).toEqual([path, path.includes("page=2") ? 200 : answer.status]);
    expect(answer.status).toBe(200);
  }
});

clauseEach("11.conditional.match", "tags of other reads do not match", shops, async (shop) => {
  const tags = await Promise.all(
    paths().map(async (path) => (await request(shop(), path)).headers.etag!),
  );
  const { headers } = await request(shop(), "/products?page=3");
  for (const tag of tags) expect(tag).not.toBe(headers.etag);
  const answer = await request(shop(), "/products?page=3", { "if-none-match": tags.join(", ") });
  expect(answer.status).toBe(200);
});

clauseEach(
  "11.conditional.match",
  "pages whose numbers have the same digits are different reads",
  shops,
  async (shop) => {
    const tags: string[] = [];
    for (const [page, pageSize] of [
      [1, 12],
      [11, 2],
    ] as const) {
      const path = `/products?page=${page}&pageSize=${pageSize}`;
      const answer = await request(shop(), path, { "if-none-match": tags.join(", ") });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.body).toMatchObject({ meta: { page, pageSize } });
      tags.push(answer.headers.etag!);
    }
    expect(new Set(tags).size).toBe(2);
  },
);

clauseEach(
  "11.conditional.match",
  "what the service ignores makes no other answer",
  shops,
  async (shop) => {
    const { headers } = await request(shop(), "/products?page=2");
    const answer = await request(shop(), "/products?x=1&pageSize=010&page=2", {
      "if-none-match": headers.etag!,
    });
    expect(answer.status).toBe(304);
  },
);

clauseEach("11.conditional.errors", "refusals stay as they are", shops, async (shop) => {
  const { headers } = await request(shop(), `/products/${product.id}`);
  const refused: [number, string][] = [
    [400, "/products?page=0"],
    [400, "/products/none"],
    [404, "/products/999999"],
    [404, "/products/category/999999"],
    [404, "/categories/1"],
  ];
  for (const [status, path] of refused) {
    for (const field of ["*", headers.etag!]) {
      const answer = await request(shop(), path, { "if-none-match": field });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers).not.toHaveProperty("etag");
    }
  }
  const gone = await keeping.make.product();
  const read = await request(shop(), `/products/${gone.id}`);
  await keeping.sql("DELETE FROM products WHERE id = $1", [gone.id]);
  const answer = await request(shop(), `/products/${gone.id}`, {
    "if-none-match": read.headers.etag!,
  });
  expect(answer.status).toBe(404);
});

clause(
  "11.conditional.shared",
  "shared caches may keep answers for a while, browsers ask",
  async () => {
    const shared = await startReplica(keeping, { catalogue: { maxAge: 60 } });
    const { headers } = await request(shared, "/products");
    const matched = await request(shared, "/products", { "if-none-match": headers.etag! });
    expect([headers, matched.headers].map((each) => each["cache-control"])).toEqual(
      Array(2).fill("public, max-age=0, must-revalidate, s-maxage=60"),
    );
    await shared.close();
  },
);
