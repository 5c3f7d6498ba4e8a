import { unavailable } from "../../vocabulary/errors";

interface FairQueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
}

/** The place of a task, from its admission to its end. */
class Place {
  /** Resolves when the task may run; rejects if it is refused. */
  readonly admitted: Promise<void>;
  start!: () => void;
  refuse!: (refusal: Error) => void;

  constructor(readonly source: string) {
    this.admitted = new Promise((resolve, reject) => {
      this.start = resolve;
      this.refuse = reject;
    });
  }
}

/**
 * Runs a few tasks at a time and lets a bounded number wait. All places are shared fairly between the
 * sources of the tasks: a source holds at most a quarter of the places, and sources take turns. When all
 * places are taken, the source that holds the most loses one; a source with only one place never loses it.
 */
export class FairQueue {
  private readonly places: number;
  private readonly placesOfSource: number;
  private readonly running = new Set<Place>();
  /** Waiting tasks by source, oldest first. The sources are in the order of their turns. */
  private readonly waiting = new Map<string, Place[]>();

  constructor(private readonly limits: FairQueueLimits) {
    this.places = limits.concurrency + limits.waiting;
    this.placesOfSource = Math.max(1, Math.floor(this.places / 4));
  }

  /**
   * Runs the task when it is its source's turn. While the task waits, `whileWaiting` runs; if that throws, the task
   * loses its place.
   *
   * @throws DomainError UNAVAILABLE if no place is free, or if another source takes the place over; any
   *   error of `task` and `whileWaiting`
   */
  async run<T>(
    source: string,
    task: () => Promise<T>,
    whileWaiting: () => Promise<void>,
  ): Promise<T> {
    const place = this.enter(source);
    try {
      if (!this.running.has(place)) await Promise.all([place.admitted, whileWaiting()]);
      return await task();
    } finally {
      this.leave(place);
    }
  }

  /** Refuses all tasks that are waiting now; later tasks are not affected. */
  refuseWaiting(): void {
    for (const place of [...this.waiting.values()].flat()) this.refuse(place);
  }

  private enter(source: string): Place {
    const held = this.heldBy(source);
    if (held >= this.placesOfSource) throw unavailable("logins");
    const taken = this.running.size + [...this.waiting.values()].flat().length;
    if (taken >= this.places) this.makeRoom(held);
    const place = new Place(source);
    if (this.running.size < this.limits.concurrency) this.running.add(place);
    else this.waiting.set(source, [...(this.waiting.get(source) ?? []), place]);
    return place;
  }

  private heldBy(source: string): number {
    const running = [...this.running].filter((place) => place.source === source);
    return running.length + (this.waiting.get(source)?.length ?? 0);
  }

  /**
   * Refuses the newest waiting task of the source that holds the most places. Afterwards that source must
   * still hold at least as many places as the newcomer.
   */
  private makeRoom(heldByNewcomer: number): void {
    let greatest = heldByNewcomer + 1;
    let newest: Place | undefined;
    for (const [source, line] of this.waiting) {
      const held = this.heldBy(source);
      if (held <= greatest) continue;
      greatest = held;
      newest = line.at(-1);
    }
    if (!newest) throw unavailable("logins");
    this.refuse(newest);
  }

  private refuse(place: Place): void {
    this.stopWaiting(place);
    place.refuse(unavailable("logins"));
  }

  private leave(place: Place): void {
    this.stopWaiting(place);
    if (!this.running.delete(place)) return;
    const [oldest] = [...this.waiting.values()][0] ?? [];
    if (!oldest) return;
    this.stopWaiting(oldest);
    const others = this.waiting.get(oldest.source);
    // The next turn of its source comes last.
    if (others && this.waiting.delete(oldest.source)) this.waiting.set(oldest.source, others);
    this.running.add(oldest);
    oldest.start();
  }

  private stopWaiting(place: Place): void {
    const line = this.waiting.get(place.source);
    if (!line?.includes(place)) return;
    const others = line.filter((each) => each !== place);
    if (others.length > 0) this.waiting.set(place.source, others);
    else this.waiting.delete(place.source);
  }
}
