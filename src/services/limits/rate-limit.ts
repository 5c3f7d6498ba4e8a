import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests, type Quota } from "../../vocabulary/errors";

/** Milliseconds rounded up to whole seconds, at least one. */
export const secondsIn = (milliseconds: number): number =>
  Math.max(1, Math.ceil(milliseconds / 1000));

/**
 * Limits requests per client address; a limit of 0 turns it off. The name is sent to clients and must be
 * only letters. Each process counts for itself, so counting needs no database statement.
 */
export class RateLimit {
  private readonly limiter: RateLimiterMemory;

  constructor(private readonly policy: Pick<Quota, "name" | "limit" | "seconds">) {
    this.limiter = new RateLimiterMemory({ points: policy.limit, duration: policy.seconds });
  }

  /**
   * Counts a request from the address and returns the remaining quota; undefined if the limit is off.
   *
   * @throws DomainError TOO_MANY_REQUESTS with the seconds until the next window
   */
  async hit(address: string): Promise<Quota | undefined> {
    if (this.policy.limit === 0) return undefined;
    try {
      return this.quotaOf(await this.limiter.consume(address));
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw tooManyRequests(this.quotaOf(refusal));
      throw refusal;
    }
  }

  private quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes): Quota {
    return { ...this.policy, remaining: remainingPoints, reset: secondsIn(msBeforeNext) };
  }
}
