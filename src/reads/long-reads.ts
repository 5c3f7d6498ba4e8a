import { once } from "node:events";
import { unavailable } from "../vocabulary/errors";
import type { BoundedQueue } from "../vocabulary/bounded-queue";

/** Uses the result of a read. */
type Receiver<Result> = (result: Result) => Promise<void>;

/**
 * Reads, and calls `deliver` as soon as the result can be used, which may be before all of it is read. Ends
 * early when the signal is aborted, because nobody uses the result any more.
 */
export type LongRead<Result> = (
  deliver: (result: Result) => void,
  signal: AbortSignal,
) => Promise<void>;

/**
 * Reads that take long and wait for their turn in a queue. Requests with the same key that wait at the same
 * time share a read, which begins after all of them, so none gets old data. A request leaves when its client
 * is gone. A read that nobody waits for any more is not begun, or is cancelled if it is under way.
 */
export class LongReads<Result> {
  /** Reads that have not begun, by key. */
  private readonly waiting = new Map<string, SharedLongRead<Result>>();
  /** All reads that have not ended, each with a promise of its end. */
  private readonly unfinished = new Map<SharedLongRead<Result>, Promise<void>>();
  private isClosed = false;

  constructor(private readonly queue: BoundedQueue) {}

  /** Whether requests wait for a read with this key that has not begun. */
  isAwaited(key: string): boolean {
    return this.waiting.has(key);
  }

  /**
   * Passes the result of a read that begins after this call to `receive`, unless `client` is aborted before.
   * `read` must be the same for all calls with the same key. A read keeps its place in the queue until it has
   * ended and all requests have received its result.
   *
   * @throws DomainError UNAVAILABLE if the client goes away, or if the queue refuses the read; any error of the
   *   read or of `receive`
   */
  async run(
    key: string,
    read: LongRead<Result>,
    receive: Receiver<Result>,
    client: AbortSignal,
  ): Promise<void> {
    if (client.aborted) throw unavailable("abandoned");
    if (this.isClosed) throw unavailable("closing");
    const shared = this.waiting.get(key) ?? this.enqueue(key, read);
    await shared.join(receive, client);
  }

  /** Refuses all requests from now on, including those under way. Resolves when no read is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    const reads = [...this.unfinished];
    for (const [shared] of reads) shared.fail(unavailable("closing"));
    await Promise.all(reads.map(([, end]) => end));
  }

  private enqueue(key: string, read: LongRead<Result>): SharedLongRead<Result> {
    const shared = new SharedLongRead<Result>();
    const { signal } = shared;
    const close = (): void => {
      if (this.waiting.get(key) === shared) this.waiting.delete(key);
    };
    this.waiting.set(key, shared);
    signal.addEventListener("abort", close);
    const reading = this.queue.run(async () => {
      close();
      await read((result) => shared.deliver(result), signal);
      if (!signal.aborted) await once(signal, "abort");
    }, signal);
    const end = reading
      .catch((error: unknown) => {
        close(); // the queue may have refused it before it could begin
        shared.fail(error as Error);
      })
      .finally(() => this.unfinished.delete(shared));
    this.unfinished.set(shared, end);
    return shared;
  }
}

/** A request that waits for a read, or uses its result. */
interface Member<Result> {
  readonly receive: (result: Result) => void;
  readonly fail: (error: Error) => void;
}

/** One read, and its requests. */
class SharedLongRead<Result> {
  private readonly members = new Set<Member<Result>>();
  private readonly abandonment = new AbortController();

  /** Is aborted when the last request has its answer, or has left. */
  get signal(): AbortSignal {
    return this.abandonment.signal;
  }

  /** Settles when the request has received the result, or has left because its client is gone. */
  join(receive: Receiver<Result>, client: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        client.removeEventListener("abort", leave);
        this.members.delete(member);
        settle();
        if (this.members.size === 0) this.abandonment.abort(unavailable("abandoned"));
      };
      const fail = (error: Error): void => end(() => reject(error));
      const leave = (): void => fail(unavailable("abandoned"));
      const member: Member<Result> = {
        receive: (result) => void receive(result).then(() => end(resolve), fail),
        fail,
      };
      this.members.add(member);
      client.addEventListener("abort", leave);
    });
  }

  /** Passes the result to all who still wait. */
  deliver(result: Result): void {
    for (const member of this.members) member.receive(result);
  }

  /** Fails all requests that wait, or have not received the whole result. */
  fail(error: Error): void {
    for (const member of this.members) member.fail(error);
  }
}
