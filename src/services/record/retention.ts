import { setTimeout as sleep } from "node:timers/promises";
import sql, { raw, type Sql } from "sql-template-tag";
import type { Sequelize } from "sequelize-typescript";
import { runSql, runWithin } from "../../database/statements/sql";
import type { IdempotencyKeySettings, Settings } from "../../config/settings";
import type { Logger } from "pino";

/** Rows in one statement, so that none takes long. */
const BATCH = 1_000;

/** Milliseconds before the first round, between two rounds, and after a round that failed. */
const PAUSES = { first: 0, usual: 3_600_000, afterFailure: 60_000 };

/** Milliseconds that closing waits for a statement that is under way. */
const CLOSE_TIMEOUT = 1_000;

/** The seconds of a day of 24 hours. */
const DAY = 86_400;

/** What is deleted when it is old: the table, its primary key, and the column that says how old a row is. */
const aged = {
  audit_entries: ["id", "at"],
  events: ["id", "at"],
  webhook_deliveries: ["id", "ended_at"],
  idempotency_keys: ["key", "created_at"],
  sessions: ["id", "idle_until"],
} as const;

/**
 * Deletes the oldest rows of a table that are older than so many seconds, a batch at most; returns their primary keys.
 * Rows that meet the condition `exempt` stay.
 */
function deletionOfOld(table: keyof typeof aged, seconds: number, exempt: Sql = sql`false`): Sql {
  const [id, since] = aged[table].map((name) => raw(name)) as [Sql, Sql];
  // By ctid: a join by id compares all rows with these when the planner believes that the table is empty.
  return sql`
    DELETE FROM ${raw(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${raw(table)}
      WHERE ${since} < now() - make_interval(secs => ${seconds}) AND NOT ${exempt}
      ORDER BY ${since}, ${id} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
    RETURNING ${id}`;
}

interface RetentionReports {
  /** A round has deleted so many rows, one at least. */
  readonly deleted: (rows: number) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Deletes what is retained for a limited time: soon after the start, and then every hour. If several processes delete
 * at the same time, each takes other rows.
 */
export class Retention {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> | undefined;
  private closed = false;

  constructor(
    /** Runs a {@link deletionOfOld}, and returns how many rows it has deleted. */
    private readonly deleteBatch: () => Promise<number>,
    private readonly reports: RetentionReports,
    private readonly pauses = PAUSES,
  ) {
    this.plan(pauses.first);
  }

  /** Begins no more statements. Resolves in bounded time; after that, only the database may still be at work. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await Promise.race([this.work, sleep(CLOSE_TIMEOUT, undefined, { ref: false })]);
  }

  private plan(wait: number): void {
    this.timer = setTimeout(() => {
      this.work = this.round();
    }, wait);
    this.timer.unref();
  }

  private async round(): Promise<void> {
    let pause = this.pauses.usual;
    let deleted = 0;
    try {
      for (let batch = BATCH; batch >= BATCH && !this.closed; deleted += batch) {
        batch = await this.deleteBatch();
      }
    } catch (error) {
      pause = this.pauses.afterFailure;
      if (!this.closed) this.reports.failed(error);
    }
    if (deleted > 0) this.reports.deleted(deleted);
    if (!this.closed) this.plan(pause);
  }
}

/** Deletes the oldest entries of the audit log that are older than so many days of 24 hours; returns their number. */
export const deleteOldEntries = (sequelize: Sequelize, days: number): Promise<number> =>
  sequelize.transaction(async (transaction) => {
    // A trigger looks at this before the statement begins (migration 006).
    await runWithin(
      sequelize,
      transaction,
      sql`SELECT set_config('tea_shop.audit', 'retention', true)`,
    );
    const statement = deletionOfOld("audit_entries", days * DAY);
    return (await runWithin(sequelize, transaction, statement)).length;
  });

/** Days, of 24 hours each, for which a delivery is retained after its end. */
const DELIVERY_DAYS = 7;

/** The condition that an endpoint is still to get an event. One that is inactive loses it. */
const isToBeSent = sql`EXISTS (
  SELECT FROM webhook_deliveries JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
  WHERE event_id = events.id AND state = 'WAITING' AND is_active)`;

/** Deletes the oldest events that are older than so many days of 24 hours, with their deliveries; returns their number. */
export async function deleteOldEvents(sequelize: Sequelize, days: number): Promise<number> {
  const statement = sql`
    WITH deleted AS (${deletionOfOld("events", days * DAY, isToBeSent)}), deliveries AS (
      DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM deleted)
    )
    SELECT id FROM deleted`;
  return (await runSql(sequelize, statement)).length;
}

/**
 * Deletes the deliveries that ended longest ago, if that was more than 7 days ago, and of those whose endpoint is gone:
 * its deletion does not see what a transaction writes at the same time. Returns their number.
 */
export async function deleteOldDeliveries(sequelize: Sequelize): Promise<number> {
  const old = await runSql(sequelize, deletionOfOld("webhook_deliveries", DELIVERY_DAYS * DAY));
  return old.length + (await runSql(sequelize, deletionOfOrphans)).length;
}

/** An index leads from each endpoint to the next, however many deliveries there are. */
const deletionOfOrphans = sql`
  WITH RECURSIVE endpoint (id) AS (
    SELECT min(endpoint_id) FROM webhook_deliveries
    UNION ALL
    SELECT (SELECT min(endpoint_id) FROM webhook_deliveries WHERE endpoint_id > endpoint.id)
    FROM endpoint WHERE endpoint.id IS NOT NULL
  )
  DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(
    SELECT orphan.ctid FROM (
      SELECT id FROM endpoint WHERE id NOT IN (SELECT id FROM webhook_endpoints)
    ) AS gone
    CROSS JOIN LATERAL (SELECT ctid FROM webhook_deliveries WHERE endpoint_id = gone.id LIMIT ${BATCH}) AS orphan
    LIMIT ${BATCH}))
  RETURNING id`;

/**
 * Deletes the idempotency keys that expired longest ago, a batch at most; returns their number. Their orders stay.
 * `IdempotencyKeys` takes no notice of an expired key, deleted or not.
 */
export const deleteExpiredKeys = async (
  sequelize: Sequelize,
  { ttl }: IdempotencyKeySettings,
): Promise<number> => (await runSql(sequelize, deletionOfOld("idempotency_keys", ttl))).length;

/** Deletes the sessions that expired longest ago, if that was a day ago, as clocks differ; returns their number. */
export const deleteExpiredSessions = async (sequelize: Sequelize): Promise<number> =>
  (await runSql(sequelize, deletionOfOld("sessions", DAY))).length;

/**
 * Deletes old rows from now on: entries of the audit log, if they are not retained for ever, events, deliveries of
 * webhooks, idempotency keys and sessions.
 */
export function startRetentions(
  sequelize: Sequelize,
  { auditRetention, eventRetention, idempotencyKeys }: Settings,
  logger: Logger,
  failed: (error: unknown) => void,
): Retention[] {
  const start = (name: string, what: string, deleteBatch: () => Promise<number>, pauses = PAUSES) =>
    new Retention(
      deleteBatch,
      { deleted: (rows) => logger.info({ [name]: rows }, `deleted ${what}`), failed },
      pauses,
    );
  const later = { ...PAUSES, first: 60_000 }; // not while the process starts
  return [
    ...(auditRetention === undefined
      ? []
      : [
          start("entries", "old entries of the audit log", () =>
            deleteOldEntries(sequelize, auditRetention),
          ),
        ]),
    start("events", "old events", () => deleteOldEvents(sequelize, eventRetention), later),
    start("deliveries", "old deliveries", () => deleteOldDeliveries(sequelize), later),
    start(
      "keys",
      "expired idempotency keys",
      () => deleteExpiredKeys(sequelize, idempotencyKeys),
      later,
    ),
    start("sessions", "expired sessions", () => deleteExpiredSessions(sequelize), later),
  ];
}
