import { connect } from "../../src/database/connection/pool";
import { deleteOldEvents } from "../../src/services/events/event-retention";
import { useApp } from "../support/app";
import { clause } from "../support/clause";

const app = useApp();

clause(
  "10.events.kept",
  "events of more days are deleted, oldest first",
  { doors: ["GraphQL"] },
  async () => {
    const pool = connect({ ...app.settings.database, poolSize: 1 });
    await app.sql("DELETE FROM events");
    await app.sql(`INSERT INTO events (type, version, at, data)
    SELECT 'test.ping', 0, now() - days * interval '1 day' + moved, '{}'
    FROM unnest(ARRAY[29, 30, 31, 30]) AS days, unnest(ARRAY[interval '1 minute', interval '-1 minute']) AS moved`);
    expect(await deleteOldEvents(pool, 30)).toBe(4);
    await pool.close();
    const [row] = await app.sql(
      "SELECT count(*)::integer AS kept, bool_and(at > now() - interval '30 days') AS young FROM events",
    );
    expect(row).toEqual({ kept: 4, young: true });
  },
);
