import { BoundedQueue } from "../../vocabulary/bounded-queue";

/** Bytes of memory for all answers of a process that are not small. */
const ROOM = 64 * 1024 * 1024;

/** Copies of an answer in memory at a time: its rows and its text, or its text and its connection's buffers. */
const COPIES = 2;

/** How many requests may wait for a place, and the longest wait in milliseconds. */
const WAITING = { waiting: 200, patience: 5_000 };

/** Reads at a time, of all answers with a place: each takes long, and other requests need connections too. */
const READS = { concurrency: 2, waiting: Infinity };

/** An answer that has rows, which take memory, is refused if so many answers are waiting already. */
export const WAITING_WITH_ROWS = 16;

/** The memory of a process for GraphQL answers. It has places; each has room for one answer of the largest size. */
export class AnswerRoom {
  /** Bytes of a place. */
  readonly place: number;
  /** The answers that have a place, and those that wait for one. */
  readonly places: BoundedQueue;
  /** Gives turns to the reads of answers that have a place. */
  readonly reads = new BoundedQueue(READS);

  /** @param maxBytes the most bytes of an answer as it is sent */
  constructor(readonly maxBytes: number) {
    this.place = COPIES * maxBytes;
    const concurrency = Math.max(1, Math.floor(ROOM / this.place));
    this.places = new BoundedQueue({ concurrency, ...WAITING, reason: "answers" });
  }
}
