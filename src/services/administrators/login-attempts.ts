import { setTimeout as sleep } from "node:timers/promises";
import type { LoginSettings } from "../../config/settings";
import { isUnavailable } from "../../database/statements/failures";
import { DomainError } from "../../vocabulary/errors";
import { FairQueue } from "../limits/fair-queue";
import type { LoginAttempt, LoginThrottle } from "./login-throttle";
import { MeasuredLogins, type LoginMeter } from "./measured-logins";

/** Milliseconds by which refusals are delayed, so that clients that retry at once don't keep the service busy. */
const HELD_BACK = 75;

/**
 * All checks of a password, to log in or to change it. They share one queue, the limits of failures and the metrics.
 */
export class LoginAttempts {
  /** Refuses attempts in memory: counting a flood of them in the database would use up its connections. */
  private readonly queue: FairQueue;
  private readonly measured: MeasuredLogins;

  constructor(
    private readonly guard: LoginThrottle,
    { concurrency, queueLimit }: LoginSettings,
    meter: LoginMeter,
  ) {
    this.queue = new FairQueue({ concurrency, waiting: queueLimit });
    this.measured = new MeasuredLogins(meter);
  }

  /**
   * Runs a check of a password when its turn has come. Attempts queue by the client's address: a queue per
   * account would reveal, by the wait, whether the account exists.
   *
   * @throws DomainError TOO_MANY_REQUESTS after too many failures; UNAVAILABLE if too many attempts are
   *   waiting or pending; any error of `check`, of which INVALID_CREDENTIALS counts as a failure
   */
  async run<T>(attempt: LoginAttempt, check: () => Promise<T>): Promise<T> {
    try {
      return await this.measured.run((turn) =>
        this.queue.run(
          attempt.address,
          () => turn(() => this.guard.run(attempt, check).catch(this.giveUp)),
          () => this.guard.assertOpen(attempt),
        ),
      );
    } catch (error) {
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
