import { unavailable } from "../../vocabulary/errors";

export interface FairQueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
}

/** The place of a task in the queue, from its admission to its end. */
class Place {
  state: "waiting" | "running" | "refused" = "waiting";
  /** Resolves when the task may run; rejects if the task is refused while it waits. */
  readonly turn: Promise<void>;
  start!: () => void;
  refuse!: (refusal: Error) => void;

  constructor(readonly source: string) {
    this.turn = new Promise((resolve, reject) => {
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
  /** The number of places that each source holds; sources without a place are not listed. */
  private readonly held = new Map<string, number>();
  /** Waiting tasks by source, oldest first. The sources are in the order of their turns. */
  private readonly waiting = new Map<string, Place[]>();
  private taken = 0;
  private running = 0;

  constructor(private readonly limits: FairQueueLimits) {
    this.places = limits.concurrency + limits.waiting;
    this.placesOfSource = Math.max(1, Math.floor(this.places / 4));
  }

  /**
   * Runs the task when it is its source's turn. If the task has to wait, `whileWaiting` runs in the
   * meantime; if that throws, the task loses its place and the error is rethrown.
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
      if (place.state === "waiting") await Promise.all([place.turn, whileWaiting()]);
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
    const held = this.held.get(source) ?? 0;
    if (held >= this.placesOfSource) throw unavailable("logins");
    if (this.taken >= this.places) this.makeRoom(held);
    const place = new Place(source);
    this.taken += 1;
    this.held.set(source, held + 1);
    const line = this.waiting.get(source);
    if (this.running < this.limits.concurrency) this.start(place);
    else if (line) line.push(place);
    else this.waiting.set(source, [place]);
    return place;
  }

  /**
   * Refuses the newest waiting task of the source that holds the most places. Afterwards that source must
   * still hold at least as many places as the newcomer.
   */
  private makeRoom(heldByNewcomer: number): void {
    let greatest = heldByNewcomer + 1;
    let newest: Place | undefined;
    for (const [source, line] of this.waiting) {
      const held = this.held.get(source) ?? 0;
      if (held <= greatest) continue;
      greatest = held;
      newest = line.at(-1);
    }
    if (!newest) throw unavailable("logins");
    this.refuse(newest);
  }

  private refuse(place: Place): void {
    this.leave(place);
    place.state = "refused";
    place.refuse(unavailable("logins"));
  }

  private leave(place: Place): void {
    if (place.state === "refused") return; // refuse() has already called leave()
    this.taken -= 1;
    const held = (this.held.get(place.source) ?? 0) - 1;
    if (held > 0) this.held.set(place.source, held);
    else this.held.delete(place.source);
    if (place.state === "waiting") this.stopWaiting(place);
    else {
      this.running -= 1;
      this.startNext();
    }
  }

  /** Starts the oldest task of the source whose turn it is. The next turn of that source comes last. */
  private startNext(): void {
    const [line] = this.waiting.values();
    const oldest = line?.[0];
    if (!line || !oldest) return;
    this.stopWaiting(oldest);
    this.waiting.delete(oldest.source);
    if (line.length > 0) this.waiting.set(oldest.source, line);
    this.start(oldest);
  }

  private start(place: Place): void {
    this.running += 1;
    place.state = "running";
    place.start();
  }

  private stopWaiting(place: Place): void {
    const line = this.waiting.get(place.source) ?? [];
    line.splice(line.indexOf(place), 1);
    if (line.length === 0) this.waiting.delete(place.source);
  }
}
