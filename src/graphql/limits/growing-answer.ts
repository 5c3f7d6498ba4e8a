import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { invalidInput, unavailable, type DomainError } from "../../vocabulary/errors";
import { outOfRange } from "../../vocabulary/reasons";

/** Bytes of memory for all answers of a process that are not small. */
const ROOM = 64 * 1024 * 1024;

/** Copies of an answer in memory at a time: its rows and its text, or its text and its connection's buffers. */
const COPIES = 2;

/** How many requests may wait for a place, and the longest wait in milliseconds. */
const WAITING = { waiting: 200, patience: 5_000 };

/** Reads at a time, of all answers with a place: each takes long, and other requests need connections too. */
const READS = { concurrency: 2, waiting: Infinity };

/** An answer that has rows, which take memory, is refused if so many answers are waiting already. */
const WAITING_WITH_ROWS = 16;

/** The memory of a process for GraphQL answers. It has places; each has room for one answer of the largest size. */
export class AnswerRoom {
  /** Bytes of a place. */
  readonly place: number;
  /** The answers that have a place, and those that wait for one. */
  readonly places: BoundedQueue;
  /** The reads of answers that have a place. */
  readonly reads = new BoundedQueue(READS);
  /** Bytes of the answers that have left since the last garbage collection. */
  private left = 0;

  /** @param maxBytes the most bytes of an answer as it is sent */
  constructor(readonly maxBytes: number) {
    this.place = COPIES * maxBytes;
    const concurrency = Math.max(1, Math.floor(ROOM / this.place));
    this.places = new BoundedQueue({ concurrency, ...WAITING, reason: "answers" });
  }

  /** Call it when an answer has left; `rows` is the bytes of its rows. Collects garbage once half a room has left. */
  leave(rows: number): void {
    this.left += COPIES * rows;
    if (this.left < ROOM / 2) return;
    this.left = 0;
    collectGarbage();
  }
}

/** Bytes of a small answer, which needs no place in the room. Nearly all answers are small. */
const SMALL = 128 * 1024;

/** What Apollo ends the text of an answer with. */
export const LINE_END = "\n";

interface Client {
  readonly signal: AbortSignal;
  /** Calls back when the answer is sent or the client is gone; at once if that has happened already. */
  onClose(callBack: () => void): void;
}

/**
 * The answer to one request, from its first row until it is sent. It counts the bytes of its rows as they are
 * read, and those of its long texts as they become part of it. An answer that is large, or is expected to be,
 * needs a place in the room, and holds it until it is sent or its client is gone. It waits only for its first
 * place; if it needs more and there is none, it fails. This rules out deadlock.
 */
export class GrowingAnswer {
  /** The weight of the operation: an estimate of the answer's bytes, made before anything is read. */
  assumed = 0;
  /** Bytes of the rows that were read. */
  private rows = 0;
  /** Bytes of long texts that are part of it. */
  private texts = 0;
  private places = 0;
  private admission: Promise<void> | undefined;
  /** Resolves when its places are free again. */
  private stay: Promise<void> | undefined;
  private leave: (() => void) | undefined;

  constructor(
    private readonly room: AnswerRoom,
    private readonly client: Client,
  ) {}

  /**
   * Reads rows for the answer.
   *
   * @throws DomainError INVALID_INPUT if the answer is too long already; UNAVAILABLE if there is no place for it, or
   *   if its client left while it waited for one; any error of `read`
   */
  async read<Rows>(read: () => Promise<Rows>): Promise<Rows> {
    this.checkLength(this.texts);
    if (this.assumed > SMALL) await this.admit(); // better to wait before there are rows in memory
    const found = await (this.places > 0 ? this.room.reads.run(read) : read());
    this.rows += memoryOf(found);
    if (this.rows > SMALL) await this.makeRoom();
    return found;
  }

  /**
   * Counts a long text that becomes part of the answer.
   *
   * @throws DomainError INVALID_INPUT if that makes the answer too long
   */
  count(text: string): void {
    this.texts += Buffer.byteLength(text);
    this.checkLength(this.texts);
  }

  /**
   * The text of the answer with this result.
   *
   * @throws DomainError INVALID_INPUT if the text is too long; UNAVAILABLE if there is no place for the answer
   */
  async textOf(result: object): Promise<string> {
    this.checkLength(this.texts);
    let text = "";
    let bytes = LINE_END.length;
    for (const piece of jsonPieces(result)) {
      bytes += Buffer.byteLength(piece);
      this.checkLength(bytes);
      if (bytes > SMALL) await this.admit();
      text += piece;
    }
    if (Math.max(bytes, this.rows) <= SMALL) this.leave?.(); // smaller than expected: it needs no place
    return text + LINE_END;
  }

  private checkLength(bytes: number): void {
    if (bytes > this.room.maxBytes) throw tooLong(this.room.maxBytes);
  }

  /** Takes as many places as the rows fill. Waits only for the first one. */
  private async makeRoom(): Promise<void> {
    await this.admit();
    while (this.rows > this.places * this.room.place) {
      if (this.room.places.isFull) throw unavailable("answers");
      await this.takePlace();
    }
  }

  private admit(): Promise<void> {
    return (this.admission ??= this.takePlace());
  }

  private takePlace(): Promise<void> {
    const { client, room } = this;
    const most = this.rows > 0 ? WAITING_WITH_ROWS : undefined;
    return new Promise((resolve, reject) => {
      const occupy = (): Promise<void> => {
        this.places += 1;
        resolve();
        return (this.stay ??= new Promise<void>((leave) =>
          client.onClose((this.leave = leave)),
        ).then(() => room.leave(this.rows)));
      };
      room.places.run(occupy, client.signal, most).catch(reject);
    });
  }
}

const tooLong = (bytes: number): DomainError =>
  invalidInput([outOfRange(`The answer would exceed ${bytes} bytes`, { min: 0, max: bytes })]);

/**
 * The JSON of a value in pieces; joined, they are what `JSON.stringify` gives. Each entry of a list is a piece of
 * its own, so that the caller can give up a long text before its end.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (Array.isArray(value)) {
    let before = "[";
    for (const entry of value) {
      yield before + json(entry);
      before = ",";
    }
    yield value.length === 0 ? "[]" : "]";
  } else if (hasMembers(value)) {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${json(name)}:`;
      yield* jsonPieces(member);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else yield json(value);
}

/** Whether the JSON of a value is an object with the value's own members; that of a date is a string. */
const hasMembers = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { toJSON?: unknown }).toJSON !== "function";

/** A value without JSON is null, as `JSON.stringify` has it in lists. */
const json = (value: unknown): string => (value === undefined ? "null" : JSON.stringify(value));

/** Bytes of an object or a list besides its texts. */
const OBJECT = 256;

/** Texts with fewer characters are not measured: one byte per character is close enough. */
const SHORT = 100;

/** An estimate of the memory that rows take, in bytes. */
function memoryOf(value: unknown): number {
  if (typeof value === "string") return bytesOf(value);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = OBJECT;
  for (const each of Object.values(value)) bytes += memoryOf(each);
  return bytes;
}

const bytesOf = (text: string): number =>
  text.length < SHORT ? text.length : Buffer.byteLength(text);

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

let collect: Collect | undefined;

/**
 * Makes Node free memory that is no longer used. By itself, on a machine with much memory, Node first lets the
 * process grow to several times the memory in use: to 511 MB where large answers are promised 320 MB.
 */
function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  void collect({ type: "major", execution: "async" });
}
