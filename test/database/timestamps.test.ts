import sql from "sql-template-tag";
import { connect } from "../../src/database/connection/pool";
import { runSql } from "../../src/database/statements/sql";
import { createDatabase, query, type TestDatabase } from "../support/database";

let database: TestDatabase;
let sequelize: ReturnType<typeof connect>;
beforeAll(async () => {
  database = await createDatabase();
  sequelize = connect({ url: database.url, poolSize: 1 });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});
afterEach(() => runSql(sequelize, sql`SET TimeZone = 'UTC'`));

test.each([
  "2026-11-22 10:31:37.123456+00",
  "2026-11-22 10:31:37+00",
  "2026-02-28 23:59:59.9+00",
  "2024-02-29 00:00:00.000999+00",
  "0001-01-01 00:00:00+00",
  "0099-12-31 23:59:59.99+00",
  "0100-01-01 00:00:00.001+00",
  "9999-12-31 23:59:59.999999+00",
  "10000-01-01 00:00:00+00",
  "0044-03-15 12:00:00+00 BC",
  "infinity",
  "-infinity",
])("the time %s is that of the pg package", async (time) => {
  const expected = await query(database.url, "SELECT $1::timestamptz AS at", [time]);
  const ofService = () => runSql(sequelize, sql`SELECT ${time}::timestamptz AS at`);
  expect(await ofService()).toEqual(expected);
  await runSql(sequelize, sql`SET TimeZone = 'Asia/Kathmandu'`);
  expect(await ofService()).toEqual(expected);
});
