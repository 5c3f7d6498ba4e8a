import type { Client } from "pg";
import { cancelStatement, type Session } from "../../connection/cancel";
import { assertOwnSession, checkNamedStatements } from "../own-sessions";
import { beginIn, sharedRows, worksOf, type Feature } from "./feature";

/** Milliseconds that a session gets to reach a lock, or to begin a statement. */
const SOON = 100;

/** How sessions keep out of each other's way. */
export const sessions: readonly Feature[] = [
  {
    name: "locks of a session",
    neededFor: "migrations, imports",
    trial: async ({ one, other, databaseUrl }) => {
      await assertOwnSession(one, databaseUrl);
      const take = "SELECT pg_try_advisory_lock(hashtext('tea_shop check')) AS works";
      const [first, second] = [await worksOf(one, take), await worksOf(other, take)];
      await one.query("SELECT pg_advisory_unlock(hashtext('tea_shop check'))");
      return first && !second;
    },
  },
  {
    name: "locks of a transaction",
    neededFor: "keys of orders, erasure of customers",
    trial: async ({ one, other, schema }) => {
      const key = "hashtext('tea_shop check of a transaction')";
      const take = `SELECT pg_try_advisory_xact_lock(${key}) AS works`;
      await one.query(beginIn(schema));
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
      const { one, other, schema } = trial;
      const rows = await sharedRows(trial, "locked_rows");
      await one.query(beginIn(schema));
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
      const { one, other, schema } = trial;
      const rows = await sharedRows(trial, "contended_rows");
      const raise = `UPDATE ${rows} SET n = n + 1 WHERE id = 1`;
      await one.query(beginIn(schema));
      await one.query(raise);
      await other.query(beginIn(schema));
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
      const { one, other, schema } = trial;
      const rows = await sharedRows(trial, "listed_rows");
      await one.query(beginIn(schema, "REPEATABLE READ, READ ONLY"));
      await one.query(`DECLARE listed NO SCROLL CURSOR FOR SELECT id FROM ${rows} ORDER BY id`);
      const first = await one.query("FETCH 1 FROM listed");
      await other.query(`INSERT INTO ${rows} VALUES (3, 3)`);
      const rest = await one.query("FETCH 10 FROM listed");
      const isUnchanged = await worksOf(one, `SELECT count(*) = 2 AS works FROM ${rows}`);
      await one.query("COMMIT");
      return first.rows.length === 1 && rest.rows.length === 1 && isUnchanged;
    },
  },
  {
    name: "ids of transactions, and the oldest that has not ended",
    neededFor: "events in the order of commits",
    trial: async ({ one, other, schema }) => {
      await one.query(beginIn(schema));
      const { rows } = await one.query<{ id: string }>("SELECT pg_current_xact_id()::text AS id");
      const id = rows[0]?.id ?? "";
      const isOpen = await worksOf(
        other,
        `SELECT pg_snapshot_xmin(pg_current_snapshot()) <= '${id}'::xid8 AS works`,
      );
      const isKnown = await worksOf(
        one,
        "SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS works",
      );
      await one.query("COMMIT");
      return isOpen && isKnown;
    },
  },
  {
    name: "requests to cancel a statement",
    neededFor: "lists of clients that are gone",
    trial: async ({ one, other }) => {
      const sleeping = one.query("SELECT pg_sleep(10)").then(
        () => false,
        (error: unknown) => (error as { code?: string }).code === "57014",
      );
      await other.query(`SELECT pg_sleep(${SOON / 1000})`);
      await cancelStatement(one as Client & Session);
      return sleeping;
    },
  },
  {
    name: "time limits of statements",
    neededFor: "answers in bounded time",
    trial: async ({ one }) => {
      await one.query("BEGIN");
      await one.query("SET LOCAL lock_timeout = '1s'");
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
    neededFor: "fast lists; NAMED_STATEMENTS=off does without",
    trial: async ({ databaseUrl }) => {
      await checkNamedStatements(databaseUrl);
      return true;
    },
  },
  {
    name: "settings of a role in a database",
    neededFor: "time limits, isolation and search path of the service's role",
    trial: [
      "DO $$ BEGIN EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ''7s''', current_user, current_database()); END $$",
      `SELECT count(*) = 1 AS works FROM pg_db_role_setting, unnest(setconfig) AS setting
       WHERE setting = 'statement_timeout=7s' AND setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
         AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    ],
  },
];
