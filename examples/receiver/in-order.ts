import type { Handler, ShopEvent } from "./events";
import { Turns } from "./turns";

/** Knows the newest version of each subject. */
export interface Versions {
  /**
   * Runs the effect with the newest version that was seen of a subject, which is undefined if none was. Keeps the
   * new one if the effect has succeeded. Effects of one subject take turns.
   */
  advance(
    subject: string,
    version: number,
    effect: (seen: number | undefined) => Promise<void>,
  ): Promise<void>;
}

/** Versions of a subject that have not come. */
export interface Gap {
  /** Such as `order 7`. */
  readonly subject: string;
  readonly from: number;
  readonly to: number;
}

export interface InOrderOptions {
  /** Takes the subject over as it is in the event. */
  readonly apply: Handler;
  /**
   * Is told of a gap before the event after it is applied, whose subject is whole. Only what happened in between is
   * missing: read the subject anew if you need more of it than the event has.
   */
  readonly missed: (gap: Gap, event: ShopEvent) => Promise<void> | void;
  readonly versions?: Versions;
}

/**
 * For a copy of what the shop has: ignores events that are older than what the copy shows, which an administrator
 * may have sent again. Do without it for what has to be done once for each event, such as a message.
 */
export const inOrder =
  ({ apply, missed, versions = new RecentVersions() }: InOrderOptions): Handler =>
  async (event) => {
    const { id, version } = event.data;
    if (typeof id !== "number" || typeof version !== "number" || version === 0) return apply(event);

    const subject = `${event.type.split(".")[0]} ${id}`;
    await versions.advance(subject, version, async (seen) => {
      // Where nothing was seen, the events before were for others: this is no gap, as it would be after a version 0.
      if (seen !== undefined && version <= seen) return;
      if (seen !== undefined && version > seen + 1) {
        await missed({ subject, from: seen + 1, to: version - 1 }, event);
      }
      await apply(event);
    });
  };

/**
 * Versions in the memory of one process. In a shop of yours, the version is a column of the copy, which is written
 * by one statement, in the transaction of the inbox:
 *
 *     INSERT INTO orders … ON CONFLICT (id) DO UPDATE SET … WHERE orders.version < excluded.version
 */
export class RecentVersions implements Versions {
  readonly #newest = new Map<string, number>();
  readonly #turns = new Turns();
  readonly #most: number;

  /** Where there are more than `most` subjects, the one that has not changed for the longest time is forgotten. */
  constructor({ most = 100_000 } = {}) {
    this.#most = most;
  }

  advance(
    subject: string,
    version: number,
    effect: (seen: number | undefined) => Promise<void>,
  ): Promise<void> {
    return this.#turns.take(subject, async () => {
      const seen = this.#newest.get(subject);
      await effect(seen);
      this.#newest.delete(subject);
      this.#newest.set(subject, Math.max(version, seen ?? version));
      const [oldest] = this.#newest.keys();
      if (oldest !== undefined && this.#newest.size > this.#most) this.#newest.delete(oldest);
    });
  }
}
