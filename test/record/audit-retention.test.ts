import { Client } from "pg";
import { connect } from "../../src/database/connection/pool";
import { deleteOldEntries, Retention } from "../../src/services/record/retention";
import { startReplica, useApp, type TestApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { administrate, endConnections } from "../support/database";
import { eventually } from "../support/eventually";
import { parsedLog } from "../support/log-lines";
import { waitingForLocks } from "../support/locks";

const app = useApp();

const DAYS = 30;

/** Adds entries of this age. */
const addEntries = (count: number, age: string): Promise<object[]> =>
  app.sql(
    `INSERT INTO audit_entries (at, door, operation, subject, changes)
     SELECT now() - $2::interval, 'DATABASE', 'UPDATE', 'PRODUCT', '[]'
     FROM generate_series(1, $1)`,
    [count, age],
  );

const old = `${DAYS * 24} hours 1 minute`;
const young = `${DAYS * 24 - 1} hours 59 minutes`;

/** How many entries there are of these ages. */
const countOf = async (condition: string): Promise<number> => {
  const [row] = await app.sql<{ count: number }>(
    `SELECT count(*)::integer FROM audit_entries WHERE at ${condition} now() - interval '${DAYS * 24} hours'`,
  );
  return row!.count;
};

const isDone = async (): Promise<boolean> => (await countOf("<")) === 0;

/** The numbers of entries that a shop has said it has deleted. */
const saidBy = ({ log }: TestApp): number[] =>
  parsedLog(log)
    .filter(({ msg }) => msg === "deleted old entries of the audit log")
    .map(({ entries }) => entries as number);

graphqlClause("10.audit.retention", "entries are kept, or for so many days", async () => {
  await addEntries(2_500, old);
  const keeping = await startReplica(app);
  const kept = await countOf("<");
  await addEntries(3, young);
  const youngOnes = await countOf(">=");
  const deleting = await startReplica(app, { auditRetention: DAYS });
  await eventually(() => saidBy(deleting).length > 0);
  expect(saidBy(deleting)).toEqual([kept]);
  expect([kept, await countOf("<"), await countOf(">=")]).toEqual([2_500, 0, youngOnes]);
  expect(saidBy(keeping)).toEqual([]);
  await keeping.close();
  await deleting.close();
});

graphqlClause("10.audit.retention", "of several processes, each deletes its own", async () => {
  await addEntries(5_000, old);
  const replicas = await Promise.all(
    [1, 2, 3].map(() => startReplica(app, { auditRetention: DAYS })),
  );
  await eventually(isDone);
  const said = () => replicas.flatMap(saidBy).reduce((sum, entries) => sum + entries, 0);
  await eventually(() => said() >= 5_000);
  for (const replica of replicas) await replica.close();
  expect(said()).toBe(5_000);
});

describe("one that begins again at once", () => {
  const sequelize = () => connect({ ...app.settings.database, poolSize: 1 });
  let pool: ReturnType<typeof sequelize>;
  let retention: Retention;
  const deleted: number[] = [];
  const failures: unknown[] = [];
  beforeEach(() => {
    pool = sequelize();
    deleted.length = 0;
    failures.length = 0;
    const reports = {
      deleted: (entries: number) => void deleted.push(entries),
      failed: (error: unknown) => void failures.push(error),
    };
    const pauses = { first: 0, usual: 5, afterFailure: 5 };
    retention = new Retention(() => deleteOldEntries(pool, DAYS), reports, pauses);
  });
  afterEach(async () => {
    await retention.close();
    await pool.close();
  });

  test("goes on after the database was away", async () => {
    const { database } = app;
    await administrate(`ALTER DATABASE ${database.name} ALLOW_CONNECTIONS false`);
    await endConnections(database);
    await eventually(() => failures.length > 1);
    await administrate(`ALTER DATABASE ${database.name} ALLOW_CONNECTIONS true`);
    await addEntries(2, old);
    await eventually(isDone);
  });

  test("closes in bounded time while a statement waits", async () => {
    const holder = new Client({ connectionString: app.database.url });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE");
    await eventually(async () => (await waitingForLocks(app)) > 0);
    await retention.close();
    await holder.end();
    expect(failures).toEqual([]);
  });
});
