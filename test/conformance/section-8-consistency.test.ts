import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { send } from "../support/raw-http";

const READS = 250;
const IN_PARALLEL = 5;
const PAGE_SIZE = 4;

let app: TestApp;
let writer: Client;
let categoryId: number;
beforeAll(async () => {
  app = await startApp();
  ({ id: categoryId } = await app.make.category());
  writer = new Client({ connectionString: app.database.url });
  await writer.connect();
});
afterAll(async () => {
  await writer.end();
  await app.close();
});

interface Read {
  readonly data: unknown[];
  readonly meta: { total: number; page: number; totalPages: number };
}

async function readPage(path: string, page: number): Promise<Read> {
  const answer = await send(app.url, {
    method: "GET",
    path: `${path}page=${page}&pageSize=${PAGE_SIZE}`,
    headers: { authorization: app.asAdmin },
  });
  expect(answer.status).toBe(200);
  return answer.body as Read;
}

/** Repeats the statements, each a transaction of its own, while the reads run. */
async function writingWhile<T>(statements: string[], reads: () => Promise<T>): Promise<T> {
  const end = new AbortController();
  const writing = (async () => {
    for (let turn = 0; !end.signal.aborted; turn += 1) {
      await writer.query(statements[turn % statements.length] ?? "");
    }
  })();
  try {
    return await reads();
  } finally {
    end.abort();
    await writing;
  }
}

// The totals go up and down around the ends of pages, where a total of another moment shows.
clauseEach<{ path: string; statements: () => string[] }>(
  "8.3",
  "meta agrees with data in every read under writes",
  {
    "GET /products": {
      path: "/products?",
      statements: () => [
        ...[1, 2, 3, 4, 5, 6].map(
          (n) => `INSERT INTO products (name, slug, price, category_id)
                  VALUES ('Tea', 'tea-${n}', 1, ${categoryId})`,
        ),
        ...[6, 2, 4, 1, 5, 3].map((n) => `DELETE FROM products WHERE slug = 'tea-${n}'`),
      ],
    },
    "GET /orders": {
      path: "/orders?status=PAID&",
      statements: () => [
        "INSERT INTO orders (customer_email, total_amount, status) VALUES ('a@b.co', 1, 'PAID')",
        `INSERT INTO orders (customer_email, total_amount, status)
         SELECT 'a@b.co', 1, 'PENDING' FROM generate_series(1, 5)`,
        "UPDATE orders SET status = 'PAID' WHERE status = 'PENDING'",
        "DELETE FROM orders",
      ],
    },
  },
  async ({ path, statements }) => {
    const totals = new Set<number>();
    await writingWhile(statements(), async () => {
      for (let turn = 0; turn < READS / IN_PARALLEL; turn += 1) {
        const pages = Array.from({ length: IN_PARALLEL }, (_, index) => 1 + ((turn + index) % 2));
        for (const { data, meta } of await Promise.all(pages.map((page) => readPage(path, page)))) {
          const beyondSkipped = Math.max(0, meta.total - (meta.page - 1) * PAGE_SIZE);
          expect(data).toHaveLength(Math.min(beyondSkipped, PAGE_SIZE));
          expect(meta.totalPages).toBe(Math.ceil(meta.total / PAGE_SIZE));
          totals.add(meta.total);
        }
      }
    });
    // The writer was felt, or nothing is shown.
    expect(totals.size).toBeGreaterThan(2);
  },
);
