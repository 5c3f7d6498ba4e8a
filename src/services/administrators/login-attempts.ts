import { setTimeout as sleep } from "node:timers/promises";
import type { Sequelize } from "sequelize-typescript";
import sql, { raw, type Sql } from "sql-template-tag";
import type { LoginSettings } from "../../config/settings";
import { isUnavailable } from "../../database/statements/failures";
import { runSql } from "../../database/statements/sql";
import { DomainError, type ErrorCode } from "../../vocabulary/errors";
import type { LoginEnd, Meter } from "../../vocabulary/meter";
import { FairQueue } from "../limits/fair-queue";
import type { LoginAttempt, LoginThrottle } from "./login-throttle";

/** A key to count failures under, and the number of failures after which it is blocked. */
export interface LimitedKey {
  readonly key: string;
  readonly limit: number;
}

export interface PendingLogin {
  readonly keys: readonly string[];
  /** When it stops counting as pending even if it is never settled, in milliseconds since 1970. */
  readonly until: number;
}

export interface LoginOutcome {
  readonly failed: boolean;
  /** The key whose failures are reset to zero, if any. */
  readonly forget?: string;
  /** The key of the account's wrong codes, and how many there are more: 0 or 1. */
  readonly wrongCodes?: { readonly key: string; readonly more: number };
  /** Changes nothing if an earlier attempt to settle, which seemed to fail, was carried out. */
  readonly isRepeated?: boolean;
}

/** The window in milliseconds. It begins with a first failure; later failures do not extend it. */
const WINDOW = 15 * 60 * 1000;

/** Right passwords with wrong codes that an account has in an hour, from all addresses together. Then no code is right. */
export const WRONG_CODES = { most: 20, window: 60 * 60 * 1000 };

/** The longest time in milliseconds that a login counts as pending, in case its process has died. */
export const PENDING = 60 * 1000;

/** Expired rows that each login deletes. A login adds fewer, so they never pile up. */
const CLEARED_AT_ONCE = 10;

/** Milliseconds since 1970 by the database's clock, because the clocks of replicas differ. */
const NOW = "floor(extract(epoch FROM now()) * 1000)::bigint";

/** The wrong codes under a key, as an expression. */
export const wrongCodesOf = (key: string): Sql =>
  sql`coalesce((SELECT ${raw(FAILURES)} FROM login_failures AS f WHERE key = ${key}), 0)`;

/** The failures and the pending logins of a row `f` now. */
const FAILURES = `CASE WHEN f.expire > ${NOW} THEN f.points ELSE 0 END`;
const STILL_PENDING = `SELECT until FROM unnest(f.pending) AS until WHERE until > ${NOW}`;
const PENDING_COUNT = `cardinality(ARRAY(${STILL_PENDING}))`;

/** The counts for the keys $1 with their limits $2, and how long the keys at their limit stay blocked. */
const COUNTED = `
  SELECT n, key, key_limit, coalesce(${FAILURES}, 0) AS failures, ${PENDING_COUNT} AS pending,
         f.expire - ${NOW} AS remaining
  FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS keys (key, key_limit, n)
  LEFT JOIN login_failures AS f USING (key)`;
const BLOCKED_FOR = "SELECT max(remaining)::integer FROM counted WHERE failures >= key_limit";

/** When a login that begins now stops counting as pending. */
const UNTIL = `${NOW} + ${PENDING}`;

/** Begins a login if every key is below its limit; each row is checked again once it is locked. */
const BEGIN = `
  WITH counted AS (${COUNTED}),
  begun AS (
    INSERT INTO login_failures AS f (key, points, expire, pending)
    SELECT key, 0, ${UNTIL}, ARRAY[${UNTIL}] FROM counted
    WHERE NOT EXISTS (SELECT FROM counted WHERE failures + pending >= key_limit)
    ORDER BY n
    ON CONFLICT (key) DO UPDATE SET
      points = ${FAILURES},
      expire = CASE WHEN ${FAILURES} > 0 THEN f.expire ELSE ${UNTIL} END,
      pending = ARRAY(${STILL_PENDING}) || ${UNTIL}
    WHERE ${FAILURES} + ${PENDING_COUNT} < (SELECT key_limit FROM counted WHERE counted.key = f.key)
    RETURNING f.key
  )
  SELECT (${BLOCKED_FOR}) AS "blockedFor", ARRAY(SELECT key::text FROM begun) AS keys, ${UNTIL} AS until`;

/**
 * Settles a login and then deletes expired rows of other keys. The deletion skips locked rows, so that two of
 * these statements never wait for each other. If several pending times are equal, only one is removed: the
 * others belong to other logins.
 */
const SETTLE = `
  WITH settled AS (
    INSERT INTO login_failures AS f (key, points, expire)
    SELECT key, more, ${NOW} + span
    FROM unnest($1::text[], $3::integer[], $6::bigint[]) WITH ORDINALITY AS keys (key, more, span, n)
    ORDER BY n
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN f.key = $4 THEN 0 ELSE ${FAILURES} + excluded.points END,
      expire = CASE WHEN ${FAILURES} > 0 AND f.key IS DISTINCT FROM $4 THEN f.expire ELSE excluded.expire END,
      pending = ARRAY(
        SELECT until FROM unnest(f.pending) WITH ORDINALITY AS each (until, n)
        WHERE until > ${NOW} AND n IS DISTINCT FROM array_position(f.pending, $2::bigint))
      WHERE NOT $5::boolean OR $2 = ANY(f.pending)
    RETURNING ${NOW} AS now
  )
  DELETE FROM login_failures WHERE key IN (
    SELECT key FROM login_failures AS f
    WHERE f.expire <= (SELECT max(now) FROM settled) AND ${PENDING_COUNT} = 0
      AND f.key <> ALL ($1::text[])
    ORDER BY f.expire LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

/**
 * Counts failed and pending logins by key in the database. Each method runs one statement. It locks rows in
 * the order of the keys, so callers that share keys must pass them in the same order.
 */
export class LoginFailures {
  constructor(private readonly sequelize: Sequelize) {}

  /** Milliseconds until no key is blocked any more; undefined if none is. */
  async blockedFor(keys: readonly LimitedKey[]): Promise<number | undefined> {
    const [{ blockedFor }] = (await this.run(
      `WITH counted AS (${COUNTED}) SELECT (${BLOCKED_FOR}) AS "blockedFor"`,
      bound(keys),
    )) as [{ blockedFor: number | null }];
    return blockedFor ?? undefined;
  }

  /**
   * Begins a login under all keys if the failures and pending logins of each are below its limit, and under no
   * key otherwise. If another login interferes, this one may begin under only some of the keys.
   */
  async begin(
    keys: readonly LimitedKey[],
  ): Promise<{ readonly pending: PendingLogin; readonly blockedFor: number | undefined }> {
    const [begun] = (await this.run(BEGIN, bound(keys))) as [
      { blockedFor: number | null; keys: string[]; until: string },
    ];
    const pending = { keys: begun.keys, until: Number(begun.until) };
    return { pending, blockedFor: begun.blockedFor ?? undefined };
  }

  /** Ends a pending login, and counts a failure or resets the failures of a key. */
  async settle(
    { keys, until }: PendingLogin,
    { failed, forget, wrongCodes, isRepeated = false }: LoginOutcome,
  ): Promise<void> {
    const counts = keys.map((key) => ({ key, more: failed ? 1 : 0, span: WINDOW }));
    if (wrongCodes) counts.push({ ...wrongCodes, span: WRONG_CODES.window });
    if (counts.length === 0) return;
    const values = [
      counts.map(({ key }) => key),
      until,
      counts.map(({ more }) => more),
      forget ?? null,
      isRepeated,
      counts.map(({ span }) => span),
    ];
    // No more logins run at a time than may check their passwords.
    await runSql(this.sequelize, { text: SETTLE, values }, { urgent: true });
  }

  private run(text: string, values: unknown[]): Promise<object[]> {
    return runSql(this.sequelize, { text, values });
  }
}

const bound = (keys: readonly LimitedKey[]): [string[], number[]] => [
  keys.map(({ key }) => key),
  keys.map(({ limit }) => limit),
];

/** Milliseconds by which refusals are delayed, so that clients that retry at once don't keep the service busy. */
const HELD_BACK = 75;

/** How a login ended, by the code of its refusal. Any other error is a failure of the service. */
const ends: Partial<Record<ErrorCode, LoginEnd>> = {
  INVALID_CREDENTIALS: "failed",
  UNAUTHENTICATED: "failed",
  TOO_MANY_REQUESTS: "blocked",
  UNAVAILABLE: "busy",
};

/**
 * All checks of a password, to log in or to change it. They share one queue, the limits of failures and the metrics.
 */
export class LoginAttempts {
  /** Refuses attempts in memory: counting a flood of them in the database would use up its connections. */
  private readonly queue: FairQueue;

  constructor(
    private readonly guard: LoginThrottle,
    { concurrency, queueLimit }: LoginSettings,
    private readonly meter: Pick<Meter, "loginWaited" | "loginEnded">,
  ) {
    this.queue = new FairQueue({ concurrency, waiting: queueLimit });
  }

  /**
   * Runs a check of a password when it has got a slot. Attempts queue by the client's address: a queue per
   * account would reveal, by the wait, whether the account exists.
   *
   * @throws DomainError TOO_MANY_REQUESTS after too many failures; UNAVAILABLE if too many attempts are
   *   waiting or pending; any error of `check`, of which INVALID_CREDENTIALS counts as a failure
   */
  async run<T>(attempt: LoginAttempt, check: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    try {
      const result = await this.queue.run(
        attempt.address,
        () => {
          this.meter.loginWaited((performance.now() - asked) / 1000);
          return this.guard.run(attempt, check).catch(this.giveUp);
        },
        () => this.guard.assertOpen(attempt),
      );
      this.meter.loginEnded("succeeded");
      return result;
    } catch (error) {
      const end = error instanceof DomainError ? ends[error.code] : undefined;
      this.meter.loginEnded(end ?? "broken");
      if (isRefusal(error)) await sleep(HELD_BACK);
      throw error;
    }
  }

  /** Refuses all waiting attempts if the database is unavailable, so that they don't time out one by one. */
  private readonly giveUp = (error: unknown): never => {
    if (isUnavailable(error)) this.queue.refuseWaiting();
    throw error;
  };
}

/** Whether an attempt was refused before its password was checked. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === "UNAVAILABLE" || error.code === "TOO_MANY_REQUESTS");
