import { Client } from "pg";
import { useApp } from "../support/app";
import { nameInRun } from "../support/database";

const app = useApp();

/** Runs statements, one after another, as a new role that may do this to the products and nothing else. */
async function asRole(rights: string, statements: readonly string[]): Promise<void> {
  const role = nameInRun();
  const client = new Client({ connectionString: app.database.url });
  await client.connect();
  try {
    await client.query(`CREATE ROLE ${role}`);
    if (rights !== "") await client.query(`GRANT ${rights} ON products TO ${role}`);
    await client.query(`SET ROLE ${role}`);
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const total = async (): Promise<number> => {
  const { body } = await app.http.get("/products");
  return (body as { meta: { total: number } }).meta.total;
};

test("a role without any right can't change a total by a trigger on a table of its own", async () => {
  await app.make.product();
  const before = await total();
  await expect(
    asRole("", [
      "CREATE TEMPORARY TABLE own (status order_status, total_amount numeric)",
      `CREATE TRIGGER spoil AFTER INSERT ON own
         REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_orders()`,
      "INSERT INTO own VALUES ('PAID', 1000)",
    ]),
  ).rejects.toThrow("permission denied for function count_orders");
  expect(await total()).toBe(before);
});

test("a role that may only write products can write one", async () => {
  await app.make.category();
  const before = await total();
  await asRole("INSERT, SELECT, UPDATE, DELETE", [
    "INSERT INTO products (name, slug, price, category_id) VALUES ('Sencha', 'sencha-of-a-role', 1, 1)",
    "UPDATE products SET name = 'Gyokuro' WHERE slug = 'sencha-of-a-role'",
  ]);
  expect(await total()).toBe(before + 1);
});

/** What is true of the functions of the schema, but for those of extensions; each by its name and arguments. */
const functionsThat = async (condition: string): Promise<string[]> => {
  const rows = await app.sql<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc AS p
     WHERE pronamespace = current_schema()::regnamespace AND (${condition})
       AND NOT EXISTS (SELECT FROM pg_depend
                       WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

test("what runs with its owner's rights looks nowhere before the schema, and at temporary tables last", async () => {
  const definers = await functionsThat("prosecdef");
  expect(definers).toContain("record_catalogue_change()");
  expect(
    await functionsThat("prosecdef AND proconfig @> ARRAY['search_path=public, pg_temp']"),
  ).toEqual(definers);
});

test("no trigger looks for PostgreSQL's functions where whoever writes a row may have put others", async () => {
  expect(
    await functionsThat(
      "prorettype = 'trigger'::regtype AND NOT coalesce(proconfig::text, '') LIKE '%search_path=%'",
    ),
  ).toEqual([]);
});

test("others may call only what runs when a row is written or an index is read", async () => {
  const calculating = await functionsThat(
    `EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_proc'::regclass AND refobjid = p.oid
       AND classid IN ('pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_constraint'::regclass))`,
  );
  expect(calculating).toEqual(["customer_in(jsonb)", "customers_in(jsonb)", "searchable(text)"]);
  expect(await functionsThat("has_function_privilege('public', p.oid, 'EXECUTE')")).toEqual(
    calculating,
  );
});
