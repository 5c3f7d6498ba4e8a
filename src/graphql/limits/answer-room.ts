import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { collectGarbage } from "./collect-garbage";

/** Bytes of memory for all answers of a process that are not small. */
const ROOM = 64 * 1024 * 1024;

/** How often an answer is in memory: as rows and as text, or as text and in the buffers of its connection. */
const COPIES = 2;

/** How many requests may wait for a place, and the longest wait in milliseconds. */
const WAITING = { waiting: 200, patience: 5_000 };

/** Reads of all those who have places at a time: each takes long, and others need connections as well. */
const READS = { concurrency: 2, waiting: Infinity };

/** How many may wait before one that waits with rows, which take memory as well. */
export const WAITING_WITH_ROWS = 16;

/** The memory of a process for GraphQL answers, in places for one answer of the largest size each. */
export class AnswerRoom {
  /** Bytes of a place. */
  readonly place: number;
  /** Those who have a place, and those who wait for one. */
  readonly places: BoundedQueue;
  /** The turns of those who have a place. */
  readonly reads = new BoundedQueue(READS);
  /** Bytes of answers that have left since the last collection of garbage. */
  private left = 0;

  /** @param maxBytes the most bytes of an answer as it is sent */
  constructor(readonly maxBytes: number) {
    this.place = COPIES * maxBytes;
    const concurrency = Math.max(1, Math.floor(ROOM / this.place));
    this.places = new BoundedQueue({ concurrency, ...WAITING, reason: "answers" });
  }

  /** To be called when an answer with rows of so many bytes has left: what has left may take half as much as the room. */
  leave(rows: number): void {
    this.left += COPIES * rows;
    if (this.left < ROOM / 2) return;
    this.left = 0;
    collectGarbage();
  }
}
