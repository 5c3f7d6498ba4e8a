import { Client } from "pg";
import { startApp } from "../support/app";
import { administrate, createDatabase, nameInRun, query } from "../support/database";
import { send } from "../support/raw-http";
import { eventually } from "../support/eventually";

// Superusers are exempt from limits of connections.
const ROLE = nameInRun();
const PASSWORD = "for a moment";

test("a database that takes no more connections is answered for with 503 until it does", async () => {
  const database = await createDatabase();
  await administrate(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}' CONNECTION LIMIT 1`);
  await query(database.url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${ROLE}`);
  await query(database.url, `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`);
  await query(database.url, `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${ROLE}`);
  const limited = new URL(database.url);
  limited.username = ROLE;
  limited.password = PASSWORD;
  const app = await startApp({ database: { url: limited.href } });
  const statusOf = async (path: string) => (await send(app.url, { method: "GET", path })).status;
  const other = new Client({ connectionString: limited.href });
  await other.connect();
  const refused = await send(app.url, { method: "GET", path: "/products" });
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(await statusOf("/health/ready")).toBe(503);
  expect(await statusOf("/health/live")).toBe(200);
  await other.end();
  await eventually(async () => (await statusOf("/health/ready")) === 200);
  expect(await statusOf("/products")).toBe(200);
  await app.close();
  await database.drop();
  await administrate(`DROP ROLE ${ROLE}`);
});
