import { Client } from "pg";
import sql from "sql-template-tag";
import { connect } from "../../src/database/connection/pool";
import { runSql } from "../../src/database/statements/sql";
import { createDatabase, query, type TestDatabase } from "../support/database";
import { startDatabaseProxy, type DatabaseProxy } from "../support/database-proxy";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";

let database: TestDatabase;
let sequelize: ReturnType<typeof connect>;
beforeEach(async () => {
  database = await createDatabase();
  sequelize = connect({ url: database.url, poolSize: 1 });
});
afterEach(async () => {
  await sequelize.close();
  await database.drop();
});

/** Asks the database beside the pool. */
const beside = {
  sql: <Row extends object>(statement: string) => query<Row>(database.url, statement),
};

/** The process that serves the pool's one connection. */
async function backend(): Promise<number> {
  const [row] = await runSql<{ pid: number }>(sequelize, sql`SELECT pg_backend_pid() AS pid`);
  return row!.pid;
}

const isBusy = async (pid: number): Promise<boolean> =>
  (
    await query(database.url, "SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active'", [
      pid,
    ])
  ).length > 0;

test("a statement that nobody waits for any more ends, and its connection stays", async () => {
  const pid = await backend();
  const { signal, abandon } = abandonable();
  const asleep = runSql(sequelize, sql`SELECT pg_sleep(60)`, { signal });
  const ended = expect(asleep).rejects.toMatchObject({ code: "57014" });
  await eventually(() => isBusy(pid));
  abandon();
  await ended;
  expect(await backend()).toBe(pid);
});

describe("on the way to the server", () => {
  let proxy: DatabaseProxy;
  let holder: Client;
  const connectThrough = async (options: Parameters<typeof startDatabaseProxy>[1]) => {
    proxy = await startDatabaseProxy(database.url, options);
    await sequelize.close();
    sequelize = connect({ url: proxy.url, poolSize: 1 });
  };
  beforeEach(async () => {
    holder = new Client({ connectionString: database.url });
    await holder.connect();
  });
  afterEach(async () => {
    await holder.end();
    await proxy.close();
  });

  test("a cancellation that comes late ends nobody else's statement", async () => {
    await connectThrough({ holdsCancels: true });
    const waiting = (statement: Promise<unknown>) =>
      Promise.race([
        statement,
        eventually(async () => (await waitingForLocks(beside)) === 1).then(() => "waits"),
      ]);
    await holder.query("SELECT pg_advisory_lock(1), pg_advisory_lock(2)");
    const { signal, abandon } = abandonable();
    const abandoned = runSql(sequelize, sql`SELECT pg_advisory_xact_lock(1)`, { signal });
    expect(await waiting(abandoned)).toBe("waits");
    abandon();
    await eventually(() => proxy.cancels.length === 1);
    await holder.query("SELECT pg_advisory_unlock(1)");
    await abandoned;
    const other = runSql(sequelize, sql`SELECT pg_advisory_xact_lock(2), 7 AS value`);
    expect(await waiting(other)).toBe("waits");
    await proxy.deliver();
    await holder.query("SELECT pg_advisory_unlock(2)");
    expect(await other).toMatchObject([{ value: 7 }]);
  });

  test("that of a session over TLS goes over TLS", async () => {
    await connectThrough({ tls: true });
    const pid = await backend();
    const { signal, abandon } = abandonable();
    const asleep = runSql(sequelize, sql`SELECT pg_sleep(60)`, { signal });
    const ended = expect(asleep).rejects.toMatchObject({ code: "57014" });
    await eventually(() => isBusy(pid));
    abandon();
    await ended;
    expect(proxy.cancels).toEqual([{ isSecure: true }]);
    expect(await backend()).toBe(pid);
  });
});

test("a statement that was abandoned before it was sent is not sent", async () => {
  const { signal, abandon } = abandonable();
  abandon();
  const created = runSql(sequelize, sql`CREATE TABLE unwanted ()`, { signal });
  await expect(created).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await query(database.url, "SELECT FROM pg_tables WHERE tablename = 'unwanted'")).toEqual(
    [],
  );
});

function abandonable(): { signal: AbortSignal; abandon: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abandon: () => controller.abort() };
}
