/** @check */

import path from "node:path";
import { createDatabase, query, type TestDatabase } from "../support/database";
import { eventually } from "../support/eventually";
import { startProcess } from "../support/process";
import { besideTransaction, products } from "./beside";
import { useFolder } from "./folder";
import { tea } from "./terminal";

const folder = useFolder();
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const counted = async (from: string): Promise<number> => {
  const [row] = await query<{ count: number }>(
    database.url,
    `SELECT count(*)::integer FROM ${from}`,
  );
  return row!.count;
};

test("an import that is killed half-way leaves nothing", async () => {
  const file = folder.write("killed.csv", products(3_000, "1"));
  await besideTransaction(database.url, async (other) => {
    // The import waits for the slug of its last chunk, when it has stored the others.
    await other.query(
      "WITH c AS (INSERT INTO categories (slug, name) VALUES ('c', 'C') RETURNING id) INSERT INTO products (slug, name, price, category_id) SELECT 'p2500', 'P', 1, id FROM c",
    );
    const main = path.join(__dirname, "../../dist/cli/main.js");
    // It insists, so that it still waits when the kill comes, however late that is.
    const child = startProcess([main, "catalogue", "import", file, "--insist"], {
      env: { DATABASE_URL: database.url },
    });
    await eventually(
      async () =>
        (await counted(
          "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )) > 0,
    );
    child.signal("SIGKILL");
    expect(await child.ended).toEqual({ code: null, signal: "SIGKILL" });
  });
  await eventually(
    async () =>
      (await counted(
        "pg_stat_activity WHERE datname = current_database() AND application_name = 'tea-shop-tools'",
      )) === 0,
  );
  expect([await counted("categories"), await counted("products")]).toEqual([0, 0]);
  const environment = { DATABASE_URL: database.url };
  expect(await tea(["catalogue", "import", file], { environment })).toMatchObject({ exitCode: 0 });
  expect(await counted("products")).toBe(3_000);
});
