import { setTimeout } from "node:timers/promises";
import { isUnavailable } from "../../database/statements/failures";
import { DomainError } from "../../vocabulary/errors";
import {
  PENDING,
  type LoginFailures,
  type LoginOutcome,
  type PendingLogin,
} from "./login-failures";

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
export class LoginSettlement {
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
