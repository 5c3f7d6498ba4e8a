import type { Sequelize } from "sequelize-typescript";
import { isTransient } from "../../database/failures";
import { runSql } from "../../database/sql";

/** What failures are counted under, and how many are let pass. */
export interface LimitedKey {
  readonly key: string;
  readonly limit: number;
}

/** A login that is under way. */
export interface PendingLogin {
  /** The keys that it is pending under. */
  readonly keys: readonly string[];
  /** When it stops being pending by itself, in milliseconds since 1970. */
  readonly until: number;
}

/** What a login turned out to be. */
export interface LoginOutcome {
  readonly failed: boolean;
  /** The key whose failures are forgotten, if any is. */
  readonly forget?: string;
}

/** How long a failure counts, and those after it, in milliseconds. */
const WINDOW = 15 * 60 * 1000;

/** How long a login is pending at most, in milliseconds: the process that it is under way in may have died. */
const PENDING = 60 * 1000;

/** Expired rows that each login clears away: more than it may leave, so that they never pile up. */
const CLEARED_AT_ONCE = 10;

const MAX_ATTEMPTS = 10;

/** The failures of a row `f`, and the logins that are pending in it, at the time $1. */
const FAILURES = "CASE WHEN f.expire > $1 THEN f.points ELSE 0 END";
const STILL_PENDING = "SELECT until FROM unnest(f.pending) AS until WHERE until > $1";
const PENDING_COUNT = `cardinality(ARRAY(${STILL_PENDING}))`;

/** The keys $2 with the limits $3 as they stand, and for how long those at their limits are blocked. */
const COUNTED = `
  SELECT n, key, most, coalesce(${FAILURES}, 0) AS failures, ${PENDING_COUNT} AS pending,
         f.expire - $1 AS rest
  FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS keys (key, most, n)
  LEFT JOIN login_failures AS f USING (key)`;
const BLOCKED_FOR = "SELECT max(rest)::integer FROM counted WHERE failures >= most";

/** Begins where there is room under every key, judged again for each row when it is locked. */
const BEGIN = `
  WITH counted AS (${COUNTED}),
  begun AS (
    INSERT INTO login_failures AS f (key, points, expire, pending)
    SELECT key, 0, $4::bigint, ARRAY[$4::bigint] FROM counted
    WHERE NOT EXISTS (SELECT FROM counted WHERE failures + pending >= most)
    ORDER BY n
    ON CONFLICT (key) DO UPDATE SET
      points = ${FAILURES},
      expire = CASE WHEN ${FAILURES} > 0 THEN f.expire ELSE $4 END,
      pending = ARRAY(${STILL_PENDING}) || $4
    WHERE ${FAILURES} + ${PENDING_COUNT} < (SELECT most FROM counted WHERE counted.key = f.key)
    RETURNING f.key
  )
  SELECT (${BLOCKED_FOR}) AS "blockedFor", ARRAY(SELECT key::text FROM begun) AS keys`;

/**
 * Settles, and then clears others' rows away without waiting for any that is locked, so that no two of
 * these wait for each other. Of the times that are pending one is taken out, as equal ones may be others'.
 */
const SETTLE = `
  WITH settled AS (
    INSERT INTO login_failures AS f (key, points, expire)
    SELECT key, $4::integer, $6::bigint
    FROM unnest($2::text[]) WITH ORDINALITY AS keys (key, n)
    ORDER BY n
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN f.key = $5 THEN 0 ELSE ${FAILURES} + $4 END,
      expire = CASE WHEN ${FAILURES} > 0 AND f.key IS DISTINCT FROM $5 THEN f.expire ELSE $6 END,
      pending = ARRAY(
        SELECT until FROM unnest(f.pending) WITH ORDINALITY AS each (until, n)
        WHERE until > $1 AND n IS DISTINCT FROM array_position(f.pending, $3::bigint))
    RETURNING $1::bigint AS now
  )
  DELETE FROM login_failures WHERE key IN (
    SELECT key FROM login_failures AS f
    WHERE f.expire <= (SELECT max(now) FROM settled) AND ${PENDING_COUNT} = 0
      AND f.key <> ALL ($2::text[])
    ORDER BY f.expire LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

/**
 * Failed logins by key, and logins that are under way, in the database. Each method is one statement.
 * Keys are to be given in the same order by all who share any of them: rows are locked in it.
 */
export class LoginFailures {
  constructor(private readonly sequelize: Sequelize) {}

  /** Milliseconds until no key is at its limit any more; undefined where none is. */
  async blockedFor(keys: readonly LimitedKey[]): Promise<number | undefined> {
    const [row] = await this.run<{ blockedFor: number | null }>(
      `WITH counted AS (${COUNTED}) SELECT (${BLOCKED_FOR}) AS "blockedFor"`,
      [Date.now(), ...bound(keys)],
    );
    return row?.blockedFor ?? undefined;
  }

  /**
   * Lets a login begin under every key where failures and pending logins are below the limit of each.
   * Under no key otherwise, or under a part of them where another login came in between.
   */
  async begin(
    keys: readonly LimitedKey[],
  ): Promise<{ readonly pending: PendingLogin; readonly blockedFor: number | undefined }> {
    const now = Date.now();
    const until = now + PENDING;
    const [row] = await this.run<{ blockedFor: number | null; keys: string[] }>(BEGIN, [
      now,
      ...bound(keys),
      until,
    ]);
    return { pending: { keys: row?.keys ?? [], until }, blockedFor: row?.blockedFor ?? undefined };
  }

  /** Ends what is pending, and counts a failure or forgets failures. */
  async settle({ keys, until }: PendingLogin, { failed, forget }: LoginOutcome): Promise<void> {
    const now = Date.now();
    const expiry = failed ? now + WINDOW : now;
    await this.run(SETTLE, [now, keys, until, failed ? 1 : 0, forget ?? null, expiry]);
  }

  /** Runs a statement, again where it met another one in a way that the database gives up on. */
  private async run<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runSql<Row>(this.sequelize, { text, values });
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error;
      }
    }
  }
}

const bound = (keys: readonly LimitedKey[]): [string[], number[]] => [
  keys.map(({ key }) => key),
  keys.map(({ limit }) => limit),
];
