import { type PoolClient } from "pg";
import { connect } from "../../src/database/connection/pool";
import { inTransaction } from "../../src/database/statements/transaction";
import { startApp } from "../support/app";
import { createDatabase, type TestDatabase } from "../support/database";
import { PASSWORD } from "../support/factories";
import { send, sendJson } from "../support/raw-http";
import { spawnService, startService } from "../support/service";
import { tea } from "../cli/terminal";
import { startTransactionPooler, type TransactionPooler } from "../support/transaction-pooler";

let database: TestDatabase;
let pooler: TransactionPooler;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await pooler.close();
  await database.drop();
});

test("what counts failed logins is never named, with NAMED_STATEMENTS on either", async () => {
  pooler = await startTransactionPooler(database.url);
  const app = await startApp({ database: { url: pooler.url }, login: { failureLimit: 1 } });
  const { email } = await app.make.admin();
  const login = async (password: string): Promise<number> =>
    (await sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password }))).status;
  expect([await login(PASSWORD), await login("wrong"), await login("wrong")]).toEqual([
    200, 400, 429,
  ]);
  expect(pooler.refused).toEqual([]);
  await app.close();
});

describe("a start", () => {
  test("serves, and ends in order, by one session that all share", async () => {
    pooler = await startTransactionPooler(database.url, { sessions: 1, names: "kept" });
    const service = await startService(pooler.url, { MIGRATION_DATABASE_URL: database.url });
    const ready = await send(service.url, { method: "GET", path: "/health/ready" });
    expect([ready.status, pooler.refused]).toEqual([200, []]);
    service.signal("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  test.each([1, 2])(
    "is refused where %i sessions mix up the names of statements",
    async (sessions) => {
      pooler = await startTransactionPooler(database.url, { sessions, names: "mixed up" });
      const settings = { MIGRATION_DATABASE_URL: database.url };
      const refused = spawnService(pooler.url, settings);
      expect((await refused.ended).code).toBe(1);
      expect(refused.printed("stderr")).toBe(
        "DATABASE_URL leads to a pooler that mixes up the prepared statements of its clients: set NAMED_STATEMENTS=off, or max_prepared_statements in PgBouncer 1.21 or later\n",
      );
    },
  );
});

test.each(["migrate up", "migrate down", "catalogue import - --format csv"])(
  "%s asks for a connection that leads to PostgreSQL itself",
  async (command) => {
    pooler = await startTransactionPooler(database.url);
    const environment = { DATABASE_URL: pooler.url };
    const { exitCode, stderr } = await tea(command, { environment, input: "slug\n" });
    expect([exitCode, stderr]).toEqual([
      1,
      "error: The connection goes through a pooler in transaction mode, which loses the lock of this command: set MIGRATION_DATABASE_URL to PostgreSQL itself\n",
    ]);
    expect(pooler.refused).toEqual([]);
  },
);

describe("a statement that is named", () => {
  const named = { name: "one", text: "SELECT $1::integer AS one", values: [1] };

  test.each([
    [true, "one"],
    [false, ""],
  ])("with NAMED_STATEMENTS %p arrives as '%s'", async (namedStatements, name) => {
    pooler = await startTransactionPooler(database.url, { names: "kept" });
    const sequelize = connect({ url: pooler.url, poolSize: 1, namedStatements });
    const { rows } = await inTransaction(sequelize, async (transaction) => {
      const { connection } = transaction as unknown as { connection: PoolClient };
      await connection.query(named);
      return connection.query<{ one: number }>(named);
    });
    expect(rows).toEqual([{ one: 1 }]);
    const arrived = pooler.parsed.filter(({ text }) => text === named.text);
    // pg parses a name once for a connection, and what has none each time.
    expect(arrived.map((each) => each.name)).toEqual(namedStatements ? [name] : [name, name]);
    await sequelize.close();
  });
});
