/** @check */

import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { besideTransaction, products } from "./beside";
import { HEADER } from "./catalogue-files";
import { useFolder } from "./folder";
import { failed, tea, type Outcome } from "./terminal";

const folder = useFolder();
let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const catalogue = (...args: string[]): Promise<Outcome> =>
  tea(["catalogue", ...args], { environment: { DATABASE_URL: app.database.url } });

const importing = (text: string, ...options: string[]): Promise<Outcome> =>
  catalogue("import", folder.write("import.csv", text), ...options);

const counted = async (from: string): Promise<number> => {
  const [row] = await app.sql<{ count: number }>(`SELECT count(*)::integer FROM ${from}`);
  return row!.count;
};

const someoneWaits = () => eventually(async () => (await waitingForLocks(app)) > 0);

test("of two imports at once the second one is refused, and a dry run is not", async () => {
  const text = products(10, "1");
  await besideTransaction(app.database.url, async (other) => {
    await other.query("INSERT INTO categories (slug, name) VALUES ('green', 'Green')");
    // It insists, so that it waits as long as the others take.
    const first = importing(text, "--insist");
    await someoneWaits();
    // It is refused before its file is read, so nobody waits for that in vain.
    for (const file of [text, "not even a file of the catalogue\n"]) {
      expect(await importing(file)).toEqual(
        failed(
          expect.stringMatching(
            /^error: Another import is under way \(process \d+ of .*"tea-shop-tools", holds its lock\); try again when it has ended\n$/,
          ),
        ),
      );
    }
    expect(await importing(text, "--dry-run")).toMatchObject({ exitCode: 0 });
    await other.query("COMMIT");
    expect((await first).stdout).toContain("Categories: 0 created, 0 changed, 1 unchanged");
  });
  expect(await counted("products")).toBe(10);
});

test("a product that is created meanwhile is changed to what the file says", async () => {
  await importing(products(1, "1"));
  await besideTransaction(app.database.url, async (other) => {
    await other.query(
      "INSERT INTO products (slug, name, price, category_id) SELECT 'p2', 'Other', 2, id FROM categories",
    );
    const outcome = importing(products(3, "1"));
    await someoneWaits();
    await other.query("COMMIT");
    expect((await outcome).stdout).toContain("Products: 1 created, 1 changed, 1 unchanged");
  });
  expect(await counted("products WHERE name = 'P'")).toBe(3);
});

test("a product that is changed meanwhile is what the file says, and a later change stays", async () => {
  await importing(products(2, "1"));
  await besideTransaction(app.database.url, async (other) => {
    await other.query("UPDATE products SET price = 7 WHERE slug = 'p1'");
    const outcome = importing(products(2, "2"));
    await someoneWaits();
    await other.query("COMMIT");
    expect(await outcome).toMatchObject({ exitCode: 0 });
  });
  expect(await counted("products WHERE price = 2")).toBe(2);
  await app.sql("UPDATE products SET price = 7 WHERE slug = 'p1'");
  expect(await counted("products WHERE price = 7")).toBe(1);
});

test("a category that is deleted meanwhile is said not to exist", async () => {
  await importing(products(0, "1"));
  await besideTransaction(app.database.url, async (other) => {
    await other.query("DELETE FROM categories");
    const outcome = importing([HEADER, "product,p1,P,true,,green,1,", ""].join("\n"));
    await someoneWaits();
    await other.query("COMMIT");
    expect(await outcome).toMatchObject({
      exitCode: 1,
      stdout: "line 2: category green does not reference an existing category\n",
    });
  });
});

/** Imports six chunks of changes, and changes a product of the first chunk while the import is at the second. */
async function changingBeside(...options: string[]): Promise<void> {
  await importing(products(6_000, "1"));
  await besideTransaction(app.database.url, async (other) => {
    await other.query("SELECT FROM products WHERE slug = 'p1500' FOR UPDATE");
    const outcome = importing(products(6_000, "2"), ...options);
    await someoneWaits();
    const change = app.sql("UPDATE products SET is_active = false WHERE slug = 'p1'");
    // An import that does not insist waits for half a second at a time, and may let the change pass before it waits.
    let isChanged = false;
    void change.then(() => (isChanged = true));
    await eventually(async () => isChanged || (await waitingForLocks(app)) > 1);
    await other.query("COMMIT");
    await change;
    expect(await outcome).toMatchObject({ exitCode: 0 });
  });
  expect(await counted("products WHERE price = 2")).toBe(6_000);
}

test("an import gives way to a change of what it has changed, and starts anew", async () => {
  await changingBeside();
  expect(await counted("products WHERE is_active")).toBe(6_000); // the file had the last word
});

test("an import that insists does not give way", async () => {
  await changingBeside("--insist");
  expect(await counted("products WHERE is_active")).toBe(5_999);
});

test("an import costs those who change and order other products no error", async () => {
  const { id: category_id } = await app.make.category();
  const { id } = await app.make.product({ category_id });
  const outcome = importing(products(5_000, "1"));
  const statuses = new Set<number>();
  const state = { ended: false };
  void outcome.finally(() => (state.ended = true));
  while (!state.ended) {
    const changed = await app.http
      .patch(`/products/${id}/status`)
      .set("Authorization", app.asAdmin)
      .send({ isActive: true });
    const ordered = await app.http
      .post("/orders")
      .send({ customerEmail: "ada@example.com", items: [{ productId: id, quantity: 1 }] });
    const listed = await app.http.get("/products?page=1&pageSize=50");
    for (const { status } of [changed, ordered, listed]) statuses.add(status);
  }
  expect(await outcome).toMatchObject({ exitCode: 0 });
  expect([...statuses].sort()).toEqual([200, 201]);
});

test("an import is not bound by the time limits of a role, which are for the statements of requests", async () => {
  await app.sql(
    `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$`,
  );
  await app.sql(
    "CREATE TRIGGER linger AFTER INSERT ON products FOR EACH STATEMENT EXECUTE FUNCTION linger()",
  );
  const url = new URL(app.database.url);
  url.searchParams.set("options", "-c statement_timeout=800");
  const file = folder.write("slow.csv", products(3, "1"));
  const environment = { DATABASE_URL: url.href };
  expect(await tea(["catalogue", "import", file], { environment })).toMatchObject({ exitCode: 0 });
  expect(await counted("products")).toBe(3);
});
