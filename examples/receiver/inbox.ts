import { Turns } from "./turns";

/** Knows which events have been handled. */
export interface Inbox {
  /**
   * Runs the effect of an event, unless it has succeeded before. If it fails, nothing is kept, so that the next
   * try runs it again. If the event comes twice at once, the second waits for what becomes of the first.
   */
  once(id: string, effect: () => Promise<void>): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;
/** Longer than the shop tries, which is three days. */
const KEPT = 4 * DAY;

/**
 * An inbox in the memory of one process, which knows nothing after a restart. In a shop of yours, it is a table:
 *
 *     CREATE TABLE webhook_events (id text PRIMARY KEY, handled_at timestamptz NOT NULL DEFAULT now());
 *
 * `once` then begins a transaction, runs `INSERT … ON CONFLICT DO NOTHING`, runs the effect in the same transaction
 * if a row was inserted, and commits. So there is never the row without the effect, nor the effect without the row,
 * and the key makes a second try wait for the first. Delete rows after four days.
 */
export class RecentIds implements Inbox {
  readonly #handledAt = new Map<string, number>();
  readonly #turns = new Turns();
  readonly #most: number;
  readonly #now: () => number;

  /** Where there are more than `most` ids, the oldest is forgotten early. */
  constructor({ most = 100_000, now = () => Date.now() } = {}) {
    this.#most = most;
    this.#now = now;
  }

  once(id: string, effect: () => Promise<void>): Promise<void> {
    return this.#turns.take(id, async () => {
      this.#forgetOld();
      if (this.#handledAt.has(id)) return;
      await effect();
      this.#handledAt.set(id, this.#now());
      this.#forgetOld();
    });
  }

  /** A map has its keys in the order in which they came, so the oldest are first. */
  #forgetOld(): void {
    for (const [id, at] of this.#handledAt) {
      if (this.#handledAt.size <= this.#most && this.#now() - at < KEPT) return;
      this.#handledAt.delete(id);
    }
  }
}
