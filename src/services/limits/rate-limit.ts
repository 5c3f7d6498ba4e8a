import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests, type Quota } from "../../errors";

/** How many requests an address may make in a window of time. */
export interface RateLimitSettings {
  /** What is limited, as clients see it: only letters. */
  readonly name: string;
  /** 0 switches the limit off. */
  readonly limit: number;
  /** Length of the window. */
  readonly seconds: number;
}

/** Milliseconds as whole seconds to wait, at least one. */
export const secondsIn = (milliseconds: number): number =>
  Math.max(1, Math.ceil(milliseconds / 1000));

/** Limits requests per address. Counted in this process alone, so that it costs no statement. */
export class RateLimit {
  private readonly limiter: RateLimiterMemory;

  constructor(private readonly settings: RateLimitSettings) {
    this.limiter = new RateLimiterMemory({ points: settings.limit, duration: settings.seconds });
  }

  /**
   * Counts a request of the address and returns what is left; undefined where the limit is off.
   *
   * @throws DomainError TOO_MANY_REQUESTS with the seconds until the next window
   */
  async hit(address: string): Promise<Quota | undefined> {
    if (this.settings.limit === 0) return undefined;
    try {
      return this.quotaOf(await this.limiter.consume(address));
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw tooManyRequests(this.quotaOf(refusal));
      throw refusal;
    }
  }

  private quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes): Quota {
    return { ...this.settings, remaining: remainingPoints, reset: secondsIn(msBeforeNext) };
  }
}
