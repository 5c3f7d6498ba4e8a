import { setImmediate } from "node:timers/promises";
import sql from "sql-template-tag";
import { connect } from "../../src/database/connection/pool";
import { runSql } from "../../src/database/statements/sql";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";

const app = useApp();

test("an answer that came in time counts, also if the process was held up until later", async () => {
  const database = connect({ url: app.database.url, poolSize: 1 });
  try {
    const rows = runSql(database, sql`SELECT 1 AS answer FROM pg_sleep(0.5)`);
    await eventually(async () => {
      const asleep = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      return (await app.sql(asleep)).length === 1;
    });
    // After immediates, timers come before sockets.
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect(await rows).toEqual([{ answer: 1 }]);
  } finally {
    await database.close();
  }
});
