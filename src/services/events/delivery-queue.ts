import { setTimeout } from "node:timers/promises";
import type { Sequelize } from "sequelize-typescript";
import sql, { raw, type Sql } from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import {
  CONNECTIONS,
  FRESH,
  type DisabledEndpoint,
  type SettledDelivery,
} from "../../vocabulary/webhooks";

/** Deliveries that an endpoint gets at a time from one process while nothing succeeds there. */
const AT_ONCE_FAILING = 2;

/** Deliveries that one statement claims, and those behind a blocked one that it puts off. */
const MOST_CLAIMED = 200;
const MOST_BEHIND = 1_000;

/** Seconds after which others may send what a process has claimed, as it may have died. */
const LEASE = 60;

/** Days of nothing but failures that end an endpoint. */
const PATIENCE = 5;

/** Tries that are stored of a delivery. */
const MOST_TRIES = 50;

/** A delivery that the caller is to send. */
export interface ClaimedDelivery {
  readonly id: number;
  /** How often it was sent before, and how often before it was last sent again. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  readonly endpointId: number;
  readonly url: string;
  readonly includeLookup: boolean;
  /** Sealed. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly eventId: number;
  /** Null if the event is gone. */
  readonly type: string | null;
  readonly at: Date;
  readonly subjectId: number | null;
  /** Not an object only if SQL by hand has stored it so. */
  readonly data: unknown;
}

/** What a look for due deliveries has found. */
interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Whether anything was due, even if it has to wait for another one: then there may be more. */
  readonly foundAny: boolean;
  /** Whether there is an endpoint that gets anything. */
  readonly hasEndpoints: boolean;
  /** Until when the deliveries may be written as they were read, by `performance.now()`. */
  readonly until: number;
}

type DueRow = ClaimedDelivery & { readonly isBlocked: boolean; readonly hasEndpoints: boolean };

/** If nothing is due, the one row says only whether there are endpoints. */
type ClaimRow = DueRow | { readonly id: null; readonly hasEndpoints: boolean };

/**
 * What is to be sent. Any number of processes may claim deliveries: each takes others. Of one subject, an endpoint gets a
 * delivery only after the one before it has ended.
 */
export class DeliveryQueue {
  constructor(private readonly sequelize: Sequelize) {}

  /** Claims deliveries that are due. `sending` is how many the caller is sending, by endpoint. */
  async claim(sending: ReadonlyMap<number, number>): Promise<Claim> {
    const until = performance.now() + FRESH;
    const rows = await runSql<ClaimRow>(this.sequelize, claimStatement(sending), {
      name: "claim deliveries",
      urgent: true,
    });
    const due = rows.filter((row): row is DueRow => row.id !== null);
    return {
      deliveries: due.filter(({ isBlocked }) => !isBlocked),
      foundAny: due.length > 0,
      hasEndpoints: rows.some(({ hasEndpoints }) => hasEndpoints),
      until,
    };
  }

  /** Stores what became of deliveries. Returns the endpoints that this has made inactive. */
  async settle(settled: readonly SettledDelivery[]): Promise<DisabledEndpoint[]> {
    return runSql<DisabledEndpoint>(this.sequelize, settleStatement(settled), {
      name: "settle deliveries",
      urgent: true,
    });
  }

  /** Gives claimed deliveries back: others may send them at once. */
  async release(ids: readonly number[]): Promise<void> {
    await runSql(
      this.sequelize,
      sql`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = ANY(${ids}) AND state = 'WAITING'`,
    );
  }
}

/**
 * A delivery is blocked while an earlier one of its subject waits. The one that it `follows` does not count: it has ended,
 * though the statement's snapshot may be older. A blocked delivery is looked at again when the earlier one is due, in a
 * second at the earliest. So are those behind it: many versions of one subject delay others no longer than one does.
 */
const claimStatement = (sending: ReadonlyMap<number, number>): Sql => sql`
  WITH due AS MATERIALIZED (
    SELECT delivery.*, (
      SELECT greatest(earlier.next_attempt_at, now() + interval '1 second')
      FROM webhook_deliveries AS earlier
      WHERE earlier.endpoint_id = delivery.endpoint_id AND earlier.subject_id = delivery.subject_id
        AND earlier.subject = delivery.subject AND earlier.state = 'WAITING' AND NOT earlier.is_resent
        AND earlier.id > delivery.follows AND earlier.id < delivery.id AND NOT delivery.is_resent
      ORDER BY earlier.id LIMIT 1
    ) AS blocked_until
    FROM (
      SELECT id, greatest(CASE WHEN failing_since IS NULL THEN ${CONNECTIONS}::integer ELSE ${AT_ONCE_FAILING}::integer END
        - coalesce(sending.count, 0), 0) AS free
      FROM webhook_endpoints
      LEFT JOIN unnest(${[...sending.keys()]}::integer[], ${[...sending.values()]}::integer[]) AS sending (endpoint, count)
        ON endpoint = id
      WHERE is_active ORDER BY random()
    ) AS endpoint CROSS JOIN LATERAL (
      SELECT id, endpoint_id, subject, subject_id, is_resent, follows FROM webhook_deliveries
      WHERE endpoint_id = endpoint.id AND state = 'WAITING' AND next_attempt_at <= now()
      ORDER BY next_attempt_at, id LIMIT endpoint.free FOR UPDATE SKIP LOCKED
    ) AS delivery
    LIMIT ${MOST_CLAIMED}
  ), claimed AS (
    UPDATE webhook_deliveries AS delivery
    SET next_attempt_at = coalesce(blocked_until, now() + ${LEASE}::integer * interval '1 second')
    FROM due WHERE delivery.id = due.id
    RETURNING delivery.id, delivery.attempts, delivery.attempts_before, delivery.endpoint_id, delivery.event_id,
      blocked_until IS NOT NULL AS is_blocked
  ), behind AS (
    SELECT later.id, blocked.blocked_until FROM (
      SELECT DISTINCT ON (endpoint_id, subject_id, subject) * FROM due
      WHERE blocked_until IS NOT NULL ORDER BY endpoint_id, subject_id, subject, id
    ) AS blocked CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id = blocked.endpoint_id AND subject_id = blocked.subject_id AND subject = blocked.subject
        AND state = 'WAITING' AND NOT is_resent AND id > blocked.id AND next_attempt_at < blocked.blocked_until
        AND id NOT IN (SELECT id FROM due)
      ORDER BY id LIMIT ${MOST_BEHIND} FOR UPDATE SKIP LOCKED
    ) AS later
  ), pushed AS (
    UPDATE webhook_deliveries AS delivery SET next_attempt_at = blocked_until FROM behind WHERE delivery.id = behind.id
  )
  SELECT claimed.id, attempts, attempts_before AS "attemptsBefore", endpoint_id AS "endpointId", url,
    include_lookup AS "includeLookup", secret,
    CASE WHEN rotated_at > now() - interval '24 hours' THEN previous_secret END AS "previousSecret",
    event_id AS "eventId", type, at, subject_id AS "subjectId", is_blocked AS "isBlocked",
    CASE WHEN NOT is_blocked THEN event_data(events) END AS data, known."any" AS "hasEndpoints"
  FROM (SELECT EXISTS (SELECT FROM webhook_endpoints WHERE is_active)) AS known ("any")
  LEFT JOIN (
    claimed
    JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
    LEFT JOIN events ON events.id = event_id
  ) ON true
  ORDER BY claimed.id`;

/** The condition, in `settleStatement`, that nothing has succeeded at an endpoint for so many days that it ends. */
const hasFailedTooLong = sql`(
  NOT succeeded AND coalesce(failing_since, now()) < now() - ${PATIENCE}::integer * interval '1 day')`;

/** The first success ends a series of failures; a series of days, or a receiver that is gone, ends the endpoint. */
const settleStatement = (settled: readonly SettledDelivery[]): Sql => sql`
  WITH dispatcher AS MATERIALIZED (
    -- What it learns of endpoints is no administrator's change, so it leaves no entry in the audit log.
    SELECT set_config('tea_shop.origin', '{"door":"COMMAND_LINE","operation":"dispatch"}', true)
  ), settled AS (
    SELECT settled.* FROM dispatcher, jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) AS settled (
      id integer, "endpointId" integer, attempts integer, state text, pause float8, attempt jsonb,
      "isGone" boolean, "isUnsendable" boolean)
  ), stored AS (
    UPDATE webhook_deliveries AS delivery
    SET state = settled.state, attempts = delivery.attempts + 1,
      tries = jsonb_path_query_array(tries || attempt, ${raw(`'$[last - ${MOST_TRIES - 1} to last]'`)}),
      next_attempt_at = now() + pause * interval '1 millisecond',
      ended_at = CASE WHEN settled.state <> 'WAITING' THEN now() END
    FROM settled
    WHERE delivery.id = settled.id AND delivery.state = 'WAITING' AND delivery.attempts = settled.attempts
    RETURNING delivery.id, endpoint_id, subject, subject_id, is_resent, settled.state, "isGone", "isUnsendable"
  ), promoted AS (
    UPDATE webhook_deliveries AS delivery SET next_attempt_at = now(), follows = stored.id
    FROM stored
    WHERE stored.state <> 'WAITING' AND NOT stored.is_resent AND delivery.id = (
      SELECT id FROM webhook_deliveries AS next
      WHERE next.endpoint_id = stored.endpoint_id AND next.subject_id = stored.subject_id
        AND next.subject = stored.subject AND next.state = 'WAITING' AND NOT next.is_resent AND next.id > stored.id
      ORDER BY id LIMIT 1)
  ), outcomes AS (
    SELECT endpoint_id, bool_or(state = 'DELIVERED') AS succeeded, bool_or("isGone") AS gone
    FROM stored WHERE "isUnsendable" IS NOT TRUE GROUP BY endpoint_id
  ), changed AS (
    UPDATE webhook_endpoints AS endpoint
    SET failing_since = CASE WHEN NOT succeeded THEN coalesce(failing_since, now()) END,
      is_active = is_active AND NOT (gone OR ${hasFailedTooLong}),
      disabled_because = CASE WHEN NOT is_active THEN disabled_because
        WHEN gone THEN 'The receiver answered 410: it is gone'
        WHEN ${hasFailedTooLong} THEN 'Nothing has succeeded for ${raw(String(PATIENCE))} days'
        ELSE disabled_because END
    FROM outcomes
    JOIN (SELECT id AS endpoint_id, is_active AS was_active FROM webhook_endpoints) AS before USING (endpoint_id)
    WHERE endpoint.id = outcomes.endpoint_id AND (gone OR succeeded = (failing_since IS NOT NULL) OR ${hasFailedTooLong})
    RETURNING endpoint.id, url, was_active, is_active, disabled_because
  )
  SELECT id, url, disabled_because AS "disabledBecause" FROM changed
  WHERE was_active AND NOT is_active AND disabled_because IS NOT NULL`;

/** Milliseconds by which a timer may be early, and a clock slow. */
const MARGIN = 50;

/**
 * Resolves when no process writes a message any more as it was before a change that is committed. Without a delivery that
 * waits, that is at once.
 */
export async function messagesUnderWay(sequelize: Sequelize): Promise<void> {
  // In the order of an index, because the planner may know nothing of those that wait.
  const waiting = await runSql(
    sequelize,
    sql`SELECT FROM webhook_deliveries WHERE state = 'WAITING'
        ORDER BY endpoint_id, next_attempt_at, id LIMIT 1`,
    { name: "messages under way" },
    // The change is done, so it does not fail: if the database is away, it may have deliveries that wait.
  ).catch(() => [undefined]);
  if (waiting.length > 0) await setTimeout(FRESH + MARGIN);
}
