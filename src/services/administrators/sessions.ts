import { Op, type InferAttributes, type Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { Settings } from "../../config/settings";
import { runSql, runWithin } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { Session } from "../../models";
import { Batcher } from "../../reads/batcher";
import { outsideWork } from "../../vocabulary/current-work";
import { unauthenticated } from "../../vocabulary/errors";
import { isUuid } from "../../vocabulary/ids";
import type { TokenAccount, TokenClaims, Tokens, TokenTimes } from "./tokens";

export type SessionRecord = InferAttributes<Session>;

/** Where a login comes from. */
export interface LoginClient {
  readonly address: string;
  /** Its User-Agent. */
  readonly client: string | undefined;
}

export interface StoredAccount extends TokenAccount {
  readonly isActive: boolean;
  /** Whether it must have a second factor, and has none. */
  readonly lacksFactor: boolean;
}

/** What the check of a token needs of its session. */
export interface CheckedSession {
  readonly id: string;
  /** Whether a password or second factor was given within ten minutes. */
  readonly isFresh: boolean;
  /** In seconds since 1970. */
  readonly endsAt: number;
  /** Null: a person's. */
  readonly program: string | null;
  readonly readOnly: boolean;
}

/** What a token belongs to, as far as it is still there. */
interface Checked {
  readonly account?: StoredAccount | undefined;
  readonly session?: CheckedSession | undefined;
}

interface Check {
  readonly accountId: number;
  /** Undefined: the token has none. */
  readonly sid: string | undefined;
}

/** A row for each account and each of its sessions that were asked for; no session: null. */
type Row = StoredAccount &
  (({ readonly sid: string } & Omit<CheckedSession, "id">) | { readonly sid: null }) & {
    readonly isStale: boolean;
  };

/** Minutes for which a password or second factor counts as just given. */
export const FRESH_MINUTES = 10;

const LACKS_FACTOR = sql`NOT EXISTS (SELECT FROM passkeys WHERE admin_id = admins.id)
  AND NOT EXISTS (SELECT FROM one_time_codes WHERE admin_id = admins.id AND secret IS NOT NULL)`;

/** The most characters of a User-Agent. */
const CLIENT_LENGTH = 200;

/** The most sessions that are listed. */
const LISTED = 100;

/** The sessions of administrators: where they are logged in. A session that has ended is gone. */
export class Sessions {
  private readonly sessions: Repository<Session>;
  /** Requests that wait at the same time share a statement, which is issued after all of them. */
  private readonly checks: Batcher<Check, readonly Row[]>;
  private isTouching = false;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly tokens: Tokens,
    private readonly settings: Pick<Settings, "requireSecondFactor">,
  ) {
    this.sessions = sequelize.getRepository(Session);
    this.checks = new Batcher((checks) => this.read([...checks]));
  }

  /** @throws DomainError UNAUTHENTICATED if the token's signature or a time is not valid */
  claimsOf(token: string): TokenClaims {
    return this.tokens.claims(token);
  }

  /** The account and the session of a token, by one statement. */
  async check(accountId: number, sid: string | undefined): Promise<Checked> {
    const rows = await this.checks.run({ accountId, sid });
    const ofAccount = rows.filter(({ id }) => id === accountId);
    const row = ofAccount.find((each) => each.sid === sid);
    return {
      account: ofAccount[0],
      session: row && row.sid !== null ? { ...row, id: row.sid } : undefined,
    };
  }

  /** Handwritten and prepared by name, because each request of an administrator waits for it. */
  private async read(checks: readonly Check[]): Promise<readonly Row[]> {
    const accounts = [...new Set(checks.map(({ accountId }) => accountId))];
    const sids = [...new Set(checks.flatMap(({ sid }) => sid ?? []))];
    const lacksFactor = this.settings.requireSecondFactor ? LACKS_FACTOR : sql`false`;
    const rows = await runSql<Row>(
      this.sequelize,
      sql`SELECT admins.id, email, role, is_active AND password_hash IS NOT NULL AS "isActive", password_hash AS "passwordHash",
            ${lacksFactor} AS "lacksFactor", sessions.id AS sid, program, read_only AS "readOnly",
            floor(extract(epoch FROM ends_at))::float8 AS "endsAt",
            coalesce(confirmed_at > now() - make_interval(mins => ${FRESH_MINUTES}), false) AS "isFresh",
            coalesce(last_used_at < now() - interval '1 minute', true) AS "isStale"
          FROM admins LEFT JOIN sessions ON admin_id = admins.id AND sessions.id = ANY(${sids}::uuid[])
          WHERE admins.id = ANY(${accounts}::integer[])`,
      { name: "accounts and sessions by id" },
    );
    this.touch(rows.flatMap(({ sid, isStale }) => (sid !== null && isStale ? sid : [])));
    return rows;
  }

  /** Stores that sessions are used. Nobody waits for it; if it fails, the next request of a session tries again. */
  private touch(sids: readonly string[]): void {
    if (sids.length === 0 || this.isTouching) return;
    this.isTouching = true;
    const statement = sql`
      UPDATE sessions SET last_used_at = now() WHERE id = ANY(${sids}::uuid[])
        AND coalesce(last_used_at < now() - interval '1 minute', true)`;
    void outsideWork(() => runSql(this.sequelize, statement))
      .catch(() => undefined)
      .finally(() => (this.isTouching = false));
  }

  /**
   * Begins a session by a login, and returns its first token. Undefined if the account's hash is not the given one any
   * more, or the account is not active: a change of these and this wait for each other.
   */
  async start(
    account: TokenAccount,
    from: LoginClient,
    transaction?: Transaction,
  ): Promise<string | undefined> {
    return this.insert(account, from, { times: this.tokens.firstTimes(), transaction });
  }

  private async insert(
    account: TokenAccount,
    { address, client }: LoginClient,
    how: {
      readonly times: TokenTimes;
      /** When the login was, in seconds since 1970; by default now. */
      readonly loginAt?: number;
      readonly transaction?: Transaction | undefined;
    },
  ): Promise<string | undefined> {
    const { times, loginAt = null, transaction } = how;
    const at = sql`coalesce(to_timestamp(${loginAt}), now())`;
    const statement = sql`
      WITH account AS (
        SELECT id FROM admins
        WHERE id = ${account.id} AND password_hash = ${account.passwordHash} AND is_active FOR SHARE
      )
      INSERT INTO sessions
        (admin_id, started_at, last_used_at, confirmed_at, idle_until, ends_at, address, client)
      SELECT id, ${at}, now(), ${at}, to_timestamp(${times.exp}), to_timestamp(${times.loginEnd}),
        ${address}, ${client?.slice(0, CLIENT_LENGTH) ?? null} FROM account
      RETURNING id`;
    const [started] = transaction
      ? await runWithin<{ id: string }>(this.sequelize, transaction, statement)
      : await runSql<{ id: string }>(this.sequelize, statement);
    return started && this.tokens.issue(account, started.id, times);
  }

  /**
   * Another token of a session. A login of the release before, which has no session, gets one.
   *
   * @throws DomainError UNAUTHENTICATED if the session or the login is over
   */
  async renew(
    claims: TokenClaims,
    { account, session }: { account: TokenAccount; session: CheckedSession | undefined },
    from: LoginClient,
  ): Promise<string> {
    const times = this.tokens.nextTimes(claims, session?.endsAt);
    const token = session
      ? await this.extend(account, session.id, times)
      : await this.insert(account, from, { times, loginAt: times.authTime });
    if (token === undefined) throw unauthenticated("session ended");
    return token;
  }

  private async extend(
    account: TokenAccount,
    id: string,
    times: TokenTimes,
  ): Promise<string | undefined> {
    const end = sql`greatest(idle_until, to_timestamp(${times.exp}))`;
    const statement = sql`
      UPDATE sessions SET last_used_at = now(), idle_until = ${end} WHERE id = ${id} RETURNING id`;
    const [extended] = await runSql(this.sequelize, statement);
    return extended && this.tokens.issue(account, id, times);
  }

  /** Stores that the holder of a session has just given a password or second factor; false if it has ended. */
  async confirm(id: string, transaction?: Transaction): Promise<boolean> {
    const statement = sql`UPDATE sessions SET confirmed_at = now() WHERE id = ${id} RETURNING id`;
    const rows = transaction
      ? await runWithin(this.sequelize, transaction, statement)
      : await runSql(this.sequelize, statement);
    return rows.length > 0;
  }

  /** The newest 100 sessions of an account. */
  list(accountId: number): Promise<SessionRecord[]> {
    const where = { adminId: accountId, program: null, idleUntil: { [Op.gt]: new Date() } };
    const order: [string, string][] = [
      ["startedAt", "DESC"],
      ["id", "DESC"],
    ];
    return this.sessions.findAll({ where, order, limit: LISTED, raw: true });
  }

  /** Ends a session of an account; returns whether it was active. */
  async end(accountId: number, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    return (await this.delete(sql`admin_id = ${accountId} AND id = ${id} AND program IS NULL`)) > 0;
  }

  /** Ends all sessions of an account but one, and returns how many were active. Tokens of programs stay. */
  endOthers(accountId: number, present: string | undefined): Promise<number> {
    const isOther = sql`id IS DISTINCT FROM ${present ?? null}::uuid`;
    return this.delete(sql`admin_id = ${accountId} AND program IS NULL AND ${isOther}`);
  }

  private delete(condition: ReturnType<typeof sql>): Promise<number> {
    return inTransaction(this.sequelize, async (transaction) => {
      const statement = sql`
        DELETE FROM sessions WHERE ${condition} RETURNING idle_until > now() AS "wasActive"`;
      const ended = await runWithin<{ wasActive: boolean }>(this.sequelize, transaction, statement);
      return ended.filter(({ wasActive }) => wasActive).length;
    });
  }
}
