import type { TestApp } from "./app";

const tables = [
  "categories",
  "products",
  "orders",
  "order_items",
  "newsletter_subscribers",
  "admins",
  "webhook_endpoints",
  "webhook_deliveries",
] as const;

type Stored = Record<(typeof tables)[number], object[]>;

const allRows = tables.map(
  (table) => `(SELECT coalesce(json_agg(t ORDER BY id), '[]') FROM ${table} t) AS ${table}`,
);

/** All rows of all tables. They are equal before and after if nothing was stored, changed or deleted. */
export async function everythingStored(app: TestApp): Promise<Stored> {
  const [stored] = await app.sql<Stored>(`SELECT ${allRows.join(", ")}`);
  if (!stored) throw new Error("A SELECT without a table has one row");
  return stored;
}

/** Runs an action, and expects that it stores, changes and deletes nothing. */
export async function storingNothing<Result>(
  app: TestApp,
  work: () => PromiseLike<Result>,
): Promise<Result> {
  const before = await everythingStored(app);
  const result = await work();
  expect(await everythingStored(app)).toEqual(before);
  return result;
}
