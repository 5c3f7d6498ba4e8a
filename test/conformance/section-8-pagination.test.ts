import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { send, type Answer } from "../support/raw-http";
import { errorBody } from "../support/refusals";

const RECORDS = 23;
const MAX_PAGE = "9007199254740991";

const app = useApp();
beforeAll(async () => {
  const { id } = await app.make.category();
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Tea ' || n, 'tea-' || n, 1, $1 FROM generate_series(1, $2::integer) AS n`,
    [id, RECORDS],
  );
  await app.sql(
    `INSERT INTO orders (customer_email, total_amount, status)
     SELECT 'a@example.com', n, (CASE n % 2 WHEN 0 THEN 'PAID' ELSE 'PENDING' END)::order_status
     FROM generate_series(1, $1::integer) AS n`,
    [RECORDS],
  );
});

interface Page {
  readonly data: { id: number; createdAt: string }[];
  readonly meta: { total: number; page: number; pageSize: number; totalPages: number };
}

const lists = { "GET /products": "/products", "GET /orders": "/orders" };

const read = (path: string, query: string): Promise<Answer> =>
  send(app.url, {
    method: "GET",
    path: query === "" ? path : `${path}?${query}`,
    headers: { authorization: app.asAdmin },
  });

async function pageOf(path: string, query: string): Promise<Page> {
  const { status, body } = await read(path, query);
  expect([query, status]).toEqual([query, 200]);
  return body as Page;
}

const refusal = (message: string) => errorBody(400, message);
const PAGE = refusal("Page must be greater than or equal to 1");
const PAGE_SIZE = refusal("Page size must be between 1 and 50");

clauseEach("8.defaults", "page 1 of 10 where nothing is said", lists, async (path) => {
  const { data, meta } = await pageOf(path, "");
  expect(data).toHaveLength(10);
  expect(meta).toEqual({ total: RECORDS, page: 1, pageSize: 10, totalPages: 3 });
  expect(await pageOf(path, "page=1&pageSize=10")).toEqual({ data, meta });
});

clauseEach("8.1", "pages count from 1 and skip (page - 1) x pageSize", lists, async (path) => {
  const all = (await pageOf(path, "pageSize=50")).data;
  expect(all).toHaveLength(RECORDS);
  for (const [page, pageSize] of [
    [1, 1],
    [2, 1],
    [3, 10],
    [4, 7],
    [23, 1],
    [1, 23],
  ] as const) {
    const { data, meta } = await pageOf(path, `page=${page}&pageSize=${pageSize}`);
    expect(data).toEqual(all.slice((page - 1) * pageSize, page * pageSize));
    const totalPages = Math.ceil(RECORDS / pageSize);
    expect(meta).toEqual({ total: RECORDS, page, pageSize, totalPages });
  }
});

clauseEach("8.1", "a page beyond the end is empty, and tells the total", lists, async (path) => {
  for (const page of ["4", "1000000", "2147483648", MAX_PAGE]) {
    for (const pageSize of [10, 50]) {
      expect(await pageOf(path, `page=${page}&pageSize=${pageSize}`)).toEqual({
        data: [],
        meta: {
          total: RECORDS,
          page: Number(page),
          pageSize,
          totalPages: Math.ceil(RECORDS / pageSize),
        },
      });
    }
  }
});

const noIntegers = [
  ...[
    "",
    "0",
    "00",
    "-1",
    "-0",
    "1.5",
    "1.0",
    "abc",
    "1e1",
    "0x1",
    "0b1",
    "1_0",
    "NaN",
    "Infinity",
  ],
  ...["+1", "%2B1", "%201", "1%20", "1%00", "1,2", "null", "true", "%D9%A1", "%EF%BC%91", "1%ZZ"],
  ...["9007199254740992", "9007199254740993", "99999999999999999999", "9".repeat(400)],
];

/** Spellings of a parameter that give it no single value. */
const manifold = (name: string): string[] => [
  `${name}=1&${name}=2`,
  `${name}=1&${name}=1`,
  `${name}=&${name}=`,
  `${name}[]=1`,
  `${name}%5B%5D=1`,
  `${name}[a]=1`,
  `${name}[0]=1`,
  `${name}=1&${name}[]=1`,
  name,
];

clauseEach("8.2", "page is a base-10 integer of at least 1", lists, async (path) => {
  const queries = [...noIntegers.map((text) => `page=${text}`), ...manifold("page")];
  for (const query of queries) {
    const { status, body } = await read(path, query);
    expect([query, status, body]).toEqual([query, 400, PAGE]);
  }
});

clauseEach("8.2", "pageSize is a base-10 integer from 1 to 50", lists, async (path) => {
  const texts = [...noIntegers, "51", "0051", "100", MAX_PAGE];
  for (const query of [...texts.map((text) => `pageSize=${text}`), ...manifold("pageSize")]) {
    const { status, body } = await read(path, query);
    expect([query, status, body]).toEqual([query, 400, PAGE_SIZE]);
  }
});

clauseEach("8.2", "leading zeros and escaped digits are base-10", lists, async (path) => {
  const expected = await pageOf(path, "page=2&pageSize=8");
  expect(await pageOf(path, "page=02&pageSize=0008")).toEqual(expected);
  expect(await pageOf(path, "page=%32&pageSize=%38")).toEqual(expected);
  expect((await pageOf(path, "pageSize=010")).meta.pageSize).toBe(10);
  expect((await pageOf(path, "pageSize=50")).meta.pageSize).toBe(50);
});

clauseEach("8.2", "page is judged before pageSize", lists, async (path) => {
  for (const query of ["page=0&pageSize=0", "pageSize=51&page=abc", "pageSize=&page="]) {
    expect((await read(path, query)).body).toEqual(PAGE);
  }
});

clause("8.2", "both are judged before the filters of the orders", async () => {
  expect((await read("/orders", "status=NONE&page=0")).body).toEqual(PAGE);
  expect((await read("/orders", "customerEmail=&pageSize=0")).body).toEqual(PAGE_SIZE);
  expect((await read("/orders", "status=NONE")).body).toMatchObject({
    message: [expect.any(String)],
  });
});

clauseEach("8.2", "unknown parameters are ignored", lists, async (path) => {
  const expected = await pageOf(path, "page=2");
  const unknown = [
    "foo=1",
    "Page=0",
    "PAGESIZE=0",
    "limit=1",
    "__proto__=1",
    "pages=0",
    "page.a=0",
  ];
  for (const each of unknown) expect(await pageOf(path, `${each}&page=2`)).toEqual(expected);
  expect(await pageOf(path, `page=2&${"a=1&".repeat(1500)}`)).toEqual(expected);
});

clause("8.total", "meta counts the records that match the filter", async () => {
  const paid = Math.floor(RECORDS / 2);
  const { data, meta } = await pageOf("/orders", "status=PAID&pageSize=4&page=3");
  expect(meta).toEqual({ total: paid, page: 3, pageSize: 4, totalPages: 3 });
  expect(data).toHaveLength(paid - 8);
});

clause("8.total", "no records make no pages", async () => {
  const empty = { total: 0, page: 1, pageSize: 10, totalPages: 0 };
  expect(await pageOf("/orders", "status=CANCELLED")).toEqual({ data: [], meta: empty });
  expect(await pageOf("/orders", "status=CANCELLED&page=7")).toEqual({
    data: [],
    meta: { ...empty, page: 7 },
  });
});

clauseEach(
  "8.4",
  "records of one instant appear once each over all pages, newest first",
  lists,
  async (path) => {
    // One statement stored them all, hence in the same millisecond.
    const all = (await pageOf(path, "pageSize=50")).data;
    expect(new Set(all.map(({ createdAt }) => createdAt)).size).toBe(1);
    const seen: number[] = [];
    for (let page = 1; page <= 8; page += 1) {
      const { data } = await pageOf(path, `page=${page}&pageSize=3`);
      seen.push(...data.map(({ id }) => id));
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(seen).toEqual(seen.toSorted((one, other) => other - one));
    expect(new Set(seen).size).toBe(RECORDS);
  },
);
