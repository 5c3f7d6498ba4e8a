import { Client } from "pg";
import { connect } from "../../src/database/connection/pool";
import { Category } from "../../src/models";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { startApp, type TestApp } from "../support/app";

jest.setTimeout(60_000);

let app: TestApp;
let other: Client;
beforeEach(async () => {
  app = await startApp();
  other = new Client({ connectionString: app.database.url });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await app.close();
});

test("an order that the database gives up on for a deadlock is placed all the same", async () => {
  const { id } = await app.make.product();
  await app.make.order();
  // The order holds its key when it comes to its product, which is held here; then its key is wanted here.
  await other.query("SET deadlock_timeout = '1min'"); // it is the order that finds the deadlock
  await other.query("BEGIN");
  await other.query("SELECT FROM products WHERE id = $1 FOR UPDATE", [id]);
  const placed = app.http
    .post("/orders")
    .set("Idempotency-Key", "crossed")
    .send({ customerEmail: "mina@example.com", items: [{ productId: id, quantity: 1 }] })
    .then(({ status }) => status);
  await eventually(async () => (await waitingForLocks(app)) === 1);
  await other.query(
    "INSERT INTO idempotency_keys (key, fingerprint, order_id) SELECT 'crossed', 'x', id FROM orders",
  );
  await other.query("ROLLBACK");
  expect(await placed).toBe(201);
  expect(await app.sql("SELECT FROM orders")).toHaveLength(2);
  const [counted] = await app.sql(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  expect(counted).toEqual({ deadlocks: "1" });
});

/** Has the database refuse all items of orders, with this condition of PostgreSQL's. */
const refuseItems = (condition: string) =>
  other.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${condition}'; END $$;
    CREATE TRIGGER refuse AFTER INSERT ON order_items EXECUTE FUNCTION refuse()`);

// Each try of an order takes an id, which no rollback gives back.
test.each([
  ["disk_full", 1],
  ["serialization_failure", 5],
])("an order that is refused each time for %s is tried so often: %i", async (condition, tries) => {
  const { id } = await app.make.product();
  const place = () =>
    app.http
      .post("/orders")
      .send({ customerEmail: "mina@example.com", items: [{ productId: id, quantity: 1 }] });
  const before = await place();
  await refuseItems(condition);
  expect((await place()).status).toBe(503);
  await other.query("DROP FUNCTION refuse CASCADE");
  const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id;
  expect(idOf(await place()) - idOf(before)).toBe(tries + 1);
});

test("a change by a model outside a transaction, which would not say who makes it, is refused", async () => {
  const sequelize = connect({ url: app.database.url, poolSize: 1 });
  const categories = sequelize.getRepository(Category);
  const where = { id: 1 };
  for (const change of [
    () => categories.create({ name: "Tea", slug: "tea" }),
    () => categories.update({ name: "Tea" }, { where }),
    () => categories.destroy({ where }),
  ]) {
    await expect(change()).rejects.toThrow("needs a transaction");
  }
  await sequelize.close();
});
