import { createHash } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import type { LoginSettings } from "../../config/settings";
import { DomainError, tooManyRequests, unavailable } from "../../errors";
import { foldCase } from "../../text/email-address";
import { LoginFailures, type LimitedKey, type PendingLogin } from "./login-failures";
import { secondsIn } from "../limits/rate-limit";

/** Who tries to log in, from where. */
export interface LoginAttempt {
  readonly email: string;
  /** The client's address. */
  readonly address: string;
}

/**
 * Limits failed logins, together with all replicas, as it counts in the database. There is no lock on
 * an account as such: who attacks it from elsewhere never keeps its owner out.
 */
export class LoginGuard {
  private readonly failures: LoginFailures;

  constructor(
    sequelize: Sequelize,
    private readonly settings: LoginSettings,
  ) {
    this.failures = new LoginFailures(sequelize);
  }

  /** @throws DomainError TOO_MANY_REQUESTS where the attempt would be refused for the failures before it */
  async assertOpen(attempt: LoginAttempt): Promise<void> {
    const keys = this.keysOf(attempt);
    if (keys.length > 0) refuseIfBlocked(await this.failures.blockedFor(keys));
  }

  /**
   * Runs a login and counts it if it fails for its credentials. Meanwhile it is pending: many at once
   * get no more tries than one after another, and none is counted that does not fail. A success forgets
   * the failures of the account from that address.
   *
   * @throws DomainError, without running it, TOO_MANY_REQUESTS for the failures before it, UNAVAILABLE
   *   where those that are pending could reach a limit; whatever `login` throws
   */
  async run<T>(attempt: LoginAttempt, login: () => Promise<T>): Promise<T> {
    const keys = this.keysOf(attempt);
    if (keys.length === 0) return login();
    const { pending, blockedFor } = await this.failures.begin(keys);
    if (pending.keys.length < keys.length) {
      if (pending.keys.length > 0) await this.failures.settle(pending, { failed: false });
      refuseIfBlocked(blockedFor);
      throw unavailable();
    }
    let result: T;
    try {
      result = await login();
    } catch (error) {
      await this.settleFailure(pending, error);
      throw error;
    }
    await this.failures.settle(pending, { failed: false, forget: accountKey(attempt) });
    return result;
  }

  private async settleFailure(pending: PendingLogin, error: unknown): Promise<void> {
    const isRefusal = error instanceof DomainError;
    const failed = isRefusal && error.code === "INVALID_CREDENTIALS";
    const settled = this.failures.settle(pending, { failed });
    if (failed) return settled;
    // What is pending ends by itself; and where the database has failed it is late enough already.
    const tried = Promise.allSettled([settled]);
    if (isRefusal) await tried;
    return undefined;
  }

  /** The keys whose limits are on. */
  private keysOf(attempt: LoginAttempt): LimitedKey[] {
    const { addressFailureLimit, failureLimit } = this.settings;
    return [
      { key: digestOf(attempt.address), limit: addressFailureLimit },
      { key: accountKey(attempt), limit: failureLimit },
    ].filter(({ limit }) => limit > 0);
  }
}

const accountKey = ({ email, address }: LoginAttempt): string => digestOf(address, foldCase(email));

/** Hashed: keys have a bounded length, and the table holds no addresses of either kind. */
const digestOf = (...parts: string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

function refuseIfBlocked(milliseconds: number | undefined): void {
  if (milliseconds !== undefined) throw tooManyRequests({ reset: secondsIn(milliseconds) });
}
