import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests, type Quota } from "../../errors";

/** Milliseconds as whole seconds to wait, at least one. */
export const secondsIn = (milliseconds: number): number =>
  Math.max(1, Math.ceil(milliseconds / 1000));

/**
 * Limits requests per address; a limit of 0 is off. Clients see the name, which is only letters.
 * Counted in this process alone, so that it costs no statement.
 */
export class RateLimit {
  private readonly limiter: RateLimiterMemory;

  constructor(private readonly policy: Pick<Quota, "name" | "limit" | "seconds">) {
    this.limiter = new RateLimiterMemory({ points: policy.limit, duration: policy.seconds });
  }

  /**
   * Counts a request of the address and returns what is left; undefined where the limit is off.
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
