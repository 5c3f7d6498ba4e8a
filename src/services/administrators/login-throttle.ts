import { createHash } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import type { LoginSettings } from "../../config/settings";
import { DomainError, tooManyRequests, unavailable } from "../../vocabulary/errors";
import { addressKey } from "../../vocabulary/text/email-address";
import {
  LoginFailures,
  PENDING,
  type LimitedKey,
  type LoginOutcome,
  type PendingLogin,
} from "./login-attempts";
import { secondsIn } from "../limits/rate-limit";
import { setTimeout } from "node:timers/promises";
import { isUnavailable } from "../../database/statements/failures";

export interface LoginAttempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Limits failed logins. It counts in the database, so the limits hold across all replicas. An account is
 * only blocked for one client address, so that an attacker at another address can't lock its owner out.
 */
export class LoginThrottle {
  private readonly failures: LoginFailures;
  private readonly settlement: LoginSettlement;

  constructor(
    sequelize: Sequelize,
    private readonly settings: LoginSettings,
  ) {
    this.failures = new LoginFailures(sequelize);
    this.settlement = new LoginSettlement(this.failures);
  }

  /** @throws DomainError TOO_MANY_REQUESTS if earlier failures block the attempt */
  async assertOpen(attempt: LoginAttempt): Promise<void> {
    const keys = this.keysOf(attempt);
    if (keys.length > 0) refuseIfBlocked(await this.failures.blockedFor(keys));
  }

  /**
   * Runs a login, and counts a failure if its credentials are wrong. While the login runs, it counts as
   * pending, so that concurrent logins get no more tries than sequential ones. A success resets the failures of
   * the account from that address.
   *
   * @throws DomainError, without running it, TOO_MANY_REQUESTS if earlier failures block it, UNAVAILABLE if
   *   the pending logins could reach a limit; any error of `login`
   */
  async run<T>(attempt: LoginAttempt, login: () => Promise<T>): Promise<T> {
    const keys = this.keysOf(attempt);
    const { pending, blockedFor } =
      keys.length > 0 ? await this.failures.begin(keys) : nothingPending;
    if (pending.keys.length < keys.length) {
      if (pending.keys.length > 0) await this.settlement.settle(pending, { failed: false });
      refuseIfBlocked(blockedFor);
      throw unavailable("logins");
    }
    let result: T;
    try {
      result = await login();
    } catch (error) {
      await this.settleFailure(pending, attempt, error);
      throw error;
    }
    await this.settlement.settle(pending, { failed: false, forget: accountKey(attempt) });
    return result;
  }

  /** Wrong codes are counted by the same statement as all other failures, which count no more of them. */
  private async settleFailure(
    pending: PendingLogin,
    attempt: LoginAttempt,
    error: unknown,
  ): Promise<void> {
    const isRefusal = error instanceof DomainError;
    const failed = isRefusal && error.code === "INVALID_CREDENTIALS";
    const more = failed && error.details.isWrongCode ? 1 : 0;
    const wrongCodes = { key: codesKey(attempt.email), more };
    const settled = this.settlement.settle(pending, { failed, ...(failed && { wrongCodes }) });
    if (failed) return settled;
    // If the database has failed, the client does not wait for it again.
    const tried = Promise.allSettled([settled]);
    if (isRefusal) await tried;
    return undefined;
  }

  /** The keys of an attempt whose limits are turned on. */
  private keysOf(attempt: LoginAttempt): LimitedKey[] {
    const { addressFailureLimit, failureLimit } = this.settings;
    return [
      { key: digestOf(attempt.address), limit: addressFailureLimit },
      { key: accountKey(attempt), limit: failureLimit },
    ].filter(({ limit }) => limit > 0);
  }
}

const accountKey = ({ email, address }: LoginAttempt): string =>
  digestOf(address, addressKey(email));

/** The key under which the wrong codes of an account are counted. */
export const codesKey = (email: string): string => digestOf("codes", addressKey(email));

const nothingPending = { pending: { keys: [], until: 0 }, blockedFor: undefined };

/** A hash, so that keys have a bounded length and the table stores neither e-mail nor client addresses. */
const digestOf = (...parts: string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

function refuseIfBlocked(milliseconds: number | undefined): void {
  if (milliseconds !== undefined) throw tooManyRequests({ reset: secondsIn(milliseconds) });
}

/** Milliseconds before the first further attempt. Each that fails doubles the pause. */
const FIRST_PAUSE = 1_000;

/** Logins that can be owed at a time; what is beyond counts as pending until that ends by itself. */
const MOST = 1_000;

interface Owed {
  readonly pending: PendingLogin;
  readonly outcome: LoginOutcome;
  /** When it has stopped counting as pending, by `performance.now()`. */
  readonly until: number;
}

/**
 * Settles logins when they end. If the database fails just then, they are settled in the background, one after
 * another: otherwise each would count as pending for a minute, and could keep others out.
 */
class LoginSettlement {
  private readonly owed: Owed[] = [];
  private isAtWork = false;

  constructor(private readonly failures: LoginFailures) {}

  /** Resolves also if the database is unavailable, after the first attempt. */
  async settle(pending: PendingLogin, outcome: LoginOutcome): Promise<void> {
    try {
      await this.failures.settle(pending, outcome);
    } catch (error) {
      if (!isPassing(error) || this.owed.length >= MOST) throw error;
      const until = performance.now() + PENDING;
      this.owed.push({ pending, outcome: { ...outcome, isRepeated: true }, until });
      if (!this.isAtWork) void this.settleOwed();
    }
  }

  /** Ends when nothing is owed any more, at the latest when the last login has stopped counting as pending. */
  private async settleOwed(): Promise<void> {
    this.isAtWork = true;
    for (let pause = FIRST_PAUSE; this.owed.length > 0; pause *= 2) {
      await setTimeout(pause, undefined, { ref: false });
      await this.settleUntilFailure();
    }
    this.isAtWork = false;
  }

  private async settleUntilFailure(): Promise<void> {
    try {
      for (let next = this.owed[0]; next; next = this.owed[0]) {
        if (next.until > performance.now()) {
          await this.failures.settle(next.pending, next.outcome);
        }
        this.owed.shift();
      }
    } catch {
      // The next round tries again.
    }
  }
}

const isPassing = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof DomainError && error.code === "UNAVAILABLE");
