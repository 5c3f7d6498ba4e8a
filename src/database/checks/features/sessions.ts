import type { Client } from "pg";
import { cancelStatement, type Session } from "../../connection/cancel";
import { assertOwnSession, checkNamedStatements } from "../own-sessions";
import { beginIn, sharedRows, worksOf, type Feature } from "./feature";

/** Milliseconds that a session gets to reach a lock, or to begin a statement. */
const SOON = 100;

/** How often a statement is asked to end: it may not have begun when it is asked for the first time. */
const CANCELLATIONS = 20;

/** How sessions keep out of each other's way, and what they know of each other. */
export const sessions: readonly Feature[] = [
  {
    name: "locks of a session",
    neededFor: "migrations, imports",
    byCommands: true,
    trial: async ({ one, other, place, databaseUrl }) => {
      await assertOwnSession(one, databaseUrl);
      const key = `hashtext('${place.prefix}')`;
      await one.query("BEGIN");
      const take = `SELECT pg_try_advisory_lock(${key}) AS works`;
      const [first, second] = [await worksOf(one, take), await worksOf(other, take)];
      await one.query(`SELECT pg_advisory_unlock(${key})`);
      await one.query("COMMIT");
      return first && !second;
    },
  },
  {
    name: "locks of a transaction",
    neededFor: "keys of orders, erasure of customers",
    trial: async ({ one, other, place }) => {
      const key = `hashtextextended('${place.prefix} of a transaction', 0)`;
      const take = `SELECT pg_try_advisory_xact_lock(${key}) AS works`;
      await one.query(beginIn(place));
      await one.query(`SELECT pg_advisory_xact_lock_shared(${key})`);
      const isFree = await worksOf(other, take);
      await one.query("COMMIT");
      return !isFree && (await worksOf(other, take));
    },
  },
  {
    name: "locks of rows that others skip, and such that foreign keys don't wait for",
    neededFor: "webhooks, folding of kept totals, orders beside changes of products",
    trial: async (trial) => {
      const { one, other, place } = trial;
      const rows = await sharedRows(trial, "locked_rows");
      await one.query(beginIn(place));
      await one.query(`SELECT FROM ${rows} WHERE id = 1 FOR NO KEY UPDATE`);
      const skipped = await worksOf(
        other,
        `SELECT array_agg(id) = '{2}' AS works FROM (SELECT id FROM ${rows} FOR UPDATE SKIP LOCKED) AS free`,
      );
      const shared = await worksOf(
        other,
        `SELECT count(*) = 1 AS works FROM (SELECT id FROM ${rows} WHERE id = 1 FOR KEY SHARE NOWAIT) AS shared`,
      );
      await one.query("COMMIT");
      return skipped && shared;
    },
  },
  {
    name: "READ COMMITTED: who waited for a row sees what the other one left",
    neededFor: "versions without gaps, changes at the same time",
    trial: async (trial) => {
      const { one, other, place } = trial;
      const rows = await sharedRows(trial, "contended_rows");
      const raise = `UPDATE ${rows} SET n = n + 1 WHERE id = 1`;
      await one.query(beginIn(place));
      await one.query(raise);
      await other.query(beginIn(place));
      const waiting = other.query(raise).then(
        () => undefined,
        (error: unknown) => error as Error,
      );
      await one.query(`SELECT pg_sleep(${SOON / 1000})`);
      await one.query("COMMIT");
      const fault = await waiting;
      if (fault) throw fault;
      await other.query("COMMIT");
      return worksOf(one, `SELECT n = 3 AS works FROM ${rows} WHERE id = 1`);
    },
  },
  {
    name: "cursors in a snapshot that later changes don't touch",
    neededFor: "exports, long lists",
    trial: async (trial) => {
      const { one, other, place } = trial;
      const rows = await sharedRows(trial, "listed_rows");
      await one.query(beginIn(place, "REPEATABLE READ, READ ONLY"));
      await one.query(`DECLARE listed NO SCROLL CURSOR FOR SELECT id FROM ${rows} ORDER BY id`);
      const first = await one.query("FETCH 1 FROM listed");
      await other.query(`INSERT INTO ${rows} VALUES (3, 3)`);
      const rest = await one.query("FETCH 10 FROM listed");
      await one.query("CLOSE listed");
      const isUnchanged = await worksOf(one, `SELECT count(*) = 2 AS works FROM ${rows}`);
      await one.query("COMMIT");
      return first.rows.length === 1 && rest.rows.length === 1 && isUnchanged;
    },
  },
  {
    name: "ids of transactions, and the oldest that has not ended",
    neededFor: "folding of kept totals, events of new orders",
    trial: async ({ one, other, place }) => {
      await one.query(beginIn(place));
      const { rows } = await one.query<{ id: string }>("SELECT pg_current_xact_id()::text AS id");
      const id = rows[0]?.id ?? "";
      const isOpen = await worksOf(
        other,
        `SELECT pg_snapshot_xmin(pg_current_snapshot()) <= '${id}'::xid8 AND pg_current_xact_id() > '${id}'::xid8
           AS works`,
      );
      const isKnown = await worksOf(
        one,
        `SELECT pg_current_xact_id_if_assigned() = '${id}'::xid8 AS works`,
      );
      await one.query("COMMIT");
      return isOpen && isKnown;
    },
  },
  {
    name: "requests to cancel a statement",
    neededFor: "lists of clients that are gone",
    onReplicas: true,
    trial: async ({ one, other }) => {
      const sleeping = one.query("SELECT pg_sleep(5)").then(
        () => false,
        (error: unknown) => (error as { code?: string }).code === "57014",
      );
      const later = async (): Promise<undefined> => {
        await other.query(`SELECT pg_sleep(${SOON / 1000})`);
        return undefined;
      };
      for (let count = 0; count < CANCELLATIONS; count += 1) {
        await cancelStatement(one as Client & Session);
        const isCancelled = await Promise.race([sleeping, later()]);
        if (isCancelled !== undefined) return isCancelled;
      }
      return sleeping;
    },
  },
  {
    name: "time limits of statements",
    neededFor: "answers in bounded time",
    onReplicas: true,
    trial: async ({ one }) => {
      await one.query("BEGIN");
      await one.query(
        "SET LOCAL lock_timeout = '1s'; SET LOCAL idle_in_transaction_session_timeout = '20s'",
      );
      await one.query("SET LOCAL statement_timeout = '20ms'");
      const isCancelled = await one.query("SELECT pg_sleep(5)").then(
        () => false,
        (error: unknown) => (error as { code?: string }).code === "57014",
      );
      await one.query("ROLLBACK");
      return isCancelled;
    },
  },
  {
    name: "statements that are prepared by name",
    neededFor: "fast lists",
    onReplicas: true,
    without: "set NAMED_STATEMENTS=off",
    trial: async ({ databaseUrl }) => {
      await checkNamedStatements(databaseUrl);
      return true;
    },
  },
  {
    name: "places in the write-ahead log",
    neededFor: "reads from replicas",
    onReplicas: true,
    without: "leave DATABASE_REPLICA_URLS out",
    trial: [
      `SELECT (SELECT system_identifier FROM pg_control_system()) IS NOT NULL AND CASE WHEN pg_is_in_recovery()
         THEN pg_last_wal_replay_lsn() > '0/0' AND (SELECT timeline_id FROM pg_control_checkpoint()) > 0
           AND (SELECT count(received_tli) FROM pg_stat_wal_receiver) <= 1
         ELSE pg_current_wal_flush_lsn() > '0/0' AND pg_current_wal_insert_lsn() - '0/0' > 0
           AND ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer > 0 END AS works`,
    ],
  },
  {
    name: "what tells a database from a copy of it",
    neededFor: "kept answers of the catalogue",
    onReplicas: true,
    trial: [
      `SELECT pg_postmaster_start_time() < now() AND bit_xor(n::bigint) = 3 AND min(tableoid) = 'pg_database'::regclass
         AND (SELECT oid FROM pg_database WHERE datname = current_database()) IS NOT NULL AS works
       FROM (SELECT min(tableoid) AS tableoid FROM pg_database) AS tables, unnest('{1,2}'::integer[]) AS n`,
    ],
  },
];
