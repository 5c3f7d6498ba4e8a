import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Sequelize } from "sequelize-typescript";
import { DomainError, tooManyRequests } from "../errors";
import { foldCase } from "../text";
import { secondsIn } from "./rate-limit";

/** Failed logins that are let pass in 15 minutes; 0 switches a limit off. */
export interface LoginGuardSettings {
  /** For one account from one address. */
  readonly loginFailureLimit: number;
  /** For one address, whatever the accounts. */
  readonly loginAddressFailureLimit: number;
}

const WINDOW_SECONDS = 15 * 60;

/** Who tries to log in, from where. */
export interface LoginAttempt {
  readonly email: string;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * Limits failed logins, together with all replicas, as it counts in the database. There is no lock on
 * an account as such: who attacks it from elsewhere never keeps its owner out.
 */
export class LoginGuard {
  private readonly byAddress: FailureCount;
  private readonly byAccount: FailureCount;

  constructor(sequelize: Sequelize, settings: LoginGuardSettings) {
    this.byAddress = new FailureCount(sequelize, settings.loginAddressFailureLimit);
    this.byAccount = new FailureCount(sequelize, settings.loginFailureLimit);
  }

  /**
   * Runs a login and counts it if it fails for its credentials. It is counted before it runs, and
   * taken back if it did not fail, so that many at once get no more tries than one after another.
   * A success forgets the failures of the account from that address.
   *
   * @throws DomainError TOO_MANY_REQUESTS, without running it; whatever `login` throws
   */
  async run<T>({ email, address }: LoginAttempt, login: () => Promise<T>): Promise<T> {
    const source = keyOf(address);
    const account = keyOf(address, foldCase(email));
    await this.byAddress.count(source);
    try {
      await this.byAccount.count(account);
    } catch (error) {
      await takeBack(error, this.byAddress.takeBack(source));
      throw error;
    }
    try {
      const result = await login();
      await this.byAccount.forget(account);
      await this.byAddress.takeBack(source);
      return result;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "INVALID_CREDENTIALS")) {
        const counts = [this.byAccount.takeBack(account), this.byAddress.takeBack(source)];
        await takeBack(error, ...counts);
      }
      throw error;
    }
  }
}

/** Waits until counts are taken back, but not where the database failed already: it is late enough. */
async function takeBack(error: unknown, ...counts: Promise<void>[]): Promise<void> {
  const settled = Promise.allSettled(counts);
  if (error instanceof DomainError) await settled;
}

/** Hashed: keys have a bounded length, and the table holds no addresses of either kind. */
const keyOf = (...parts: string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** What the limiter sends its statements through; its declarations leave it out. */
interface Statements {
  _query(statement: { text: string; values: unknown[] }): Promise<unknown>;
}

/** Names no statement: a pooler in transaction mode keeps no names. */
class UnnamedLimiter extends RateLimiterPostgres {
  _query({ text, values }: { text: string; values: unknown[] }): Promise<unknown> {
    const store = RateLimiterPostgres.prototype as unknown as Statements;
    return store._query.call(this, { text, values });
  }
}

/** Failures per key in the database. */
class FailureCount {
  private readonly limiter: RateLimiterPostgres | undefined;

  constructor(sequelize: Sequelize, limit: number) {
    if (limit === 0) return;
    this.limiter = new UnnamedLimiter({
      storeClient: sequelize,
      storeType: "sequelize",
      tableName: "login_failures",
      tableCreated: true,
      keyPrefix: "",
      points: limit,
      duration: WINDOW_SECONDS,
    });
  }

  async count(key: string): Promise<void> {
    try {
      await this.limiter?.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooManyRequests({ reset: secondsIn(refusal.msBeforeNext) });
    }
  }

  async takeBack(key: string): Promise<void> {
    await this.limiter?.reward(key);
  }

  async forget(key: string): Promise<void> {
    await this.limiter?.delete(key);
  }
}
