import { setTimeout as sleep } from "node:timers/promises";
import type { LoginSettings } from "../../config/settings";
import { isUnavailable } from "../../database/statements/failures";
import { DomainError, type ErrorCode } from "../../vocabulary/errors";
import { FairQueue } from "../limits/fair-queue";
import type { LoginAttempt, LoginThrottle } from "./login-throttle";
import type { LoginEnd, Meter } from "../../vocabulary/meter";

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
