import { ConnectionError, ShopError } from "./shop-error";

/** How long a request is tried. */
export interface RetryOptions {
  /** Attempts in all. */
  readonly attempts?: number;
  /** Most milliseconds to wait between two attempts; where the shop asks for more, its answer stands. */
  readonly patience?: number;
  /** Waits for so many milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** The shop or a proxy before it had no room at that moment, so the same request may succeed later. */
const PASSING = new Set([429, 502, 503, 504]);
const FIRST_DELAY = 250;

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Sends a request again while the reason of its failure may pass: no answer came, or the answer was 429 or 503.
 * Only for requests that may arrive twice: reads, and orders with an idempotency key.
 *
 * @throws ShopError at once for refusals that the same request would meet again, such as 400 or 409
 */
export async function retry<Answer>(
  attempt: () => Promise<Answer>,
  { attempts = 4, patience = 30_000, wait = sleep }: RetryOptions = {},
): Promise<Answer> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      const delay = delayAfter(error, made);
      if (delay === undefined || delay > patience || made >= attempts) throw error;
      await wait(delay);
    }
  }
}

/** Milliseconds until the next attempt; undefined if there should be none. */
function delayAfter(error: unknown, made: number): number | undefined {
  if (error instanceof ShopError) {
    if (!PASSING.has(error.status)) return undefined;
    const { retryAfter } = error.details;
    if (retryAfter !== undefined) return retryAfter * 1000;
  } else if (!(error instanceof ConnectionError)) {
    return undefined;
  }
  // The random part keeps clients that failed together from coming back together.
  return FIRST_DELAY * 2 ** (made - 1) * (1 + Math.random());
}
