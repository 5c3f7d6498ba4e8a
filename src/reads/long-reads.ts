import { unavailable } from "../vocabulary/errors";
import type { BoundedQueue } from "../vocabulary/bounded-queue";

/** Uses what was read. The read keeps its place in the queue until then. */
type Receiver<Result> = (result: Result) => Promise<void>;

/**
 * Reads that take long and wait for their turn in a queue. Requests with the same key that wait at the same
 * time share a read, which begins after all of them, so none gets old data. A request leaves when its client
 * is gone. A read that nobody waits for any more is not begun, or is cancelled if it is under way.
 */
export class LongReads<Result> {
  /** Reads that have not begun, by key. */
  private readonly waiting = new Map<string, SharedLongRead<Result>>();

  constructor(private readonly queue: BoundedQueue) {}

  /** Whether requests wait for a read with this key that has not begun. */
  isAwaited(key: string): boolean {
    return this.waiting.has(key);
  }

  /**
   * Passes the result of a read that begins after this call to `receive`, unless `client` is aborted before.
   * All reads with one key are the same. `read` ends early if its signal is aborted: nobody waits for the
   * result then.
   *
   * @throws DomainError UNAVAILABLE if the client is gone before the read has ended, or if the queue refuses
   *   the read; any error of the read or of `receive`
   */
  async run(
    key: string,
    read: (signal: AbortSignal) => Promise<Result>,
    receive: Receiver<Result>,
    client: AbortSignal,
  ): Promise<void> {
    if (client.aborted) throw unavailable("abandoned");
    const shared = this.waiting.get(key) ?? this.enqueue(key, read);
    await shared.join(receive, client);
  }

  private enqueue(
    key: string,
    read: (signal: AbortSignal) => Promise<Result>,
  ): SharedLongRead<Result> {
    const shared = new SharedLongRead<Result>();
    const { signal } = shared;
    const close = (): void => {
      if (this.waiting.get(key) === shared) this.waiting.delete(key);
    };
    this.waiting.set(key, shared);
    signal.addEventListener("abort", close);
    const reading = this.queue.run(async () => {
      close();
      await shared.deliver(await read(signal));
    }, signal);
    reading.catch(() => {
      close(); // the queue may have refused it before it could begin
      shared.settle(reading);
    });
    return shared;
  }
}

/** A request that waits for a read. */
interface Member<Result> {
  readonly receive: Receiver<Result>;
  /** Settles the request as `outcome` is settled. It then no longer leaves, and nothing listens to its client. */
  readonly settle: (outcome: Promise<void>) => void;
}

/** One read, and the requests that wait for it. */
class SharedLongRead<Result> {
  private readonly members = new Set<Member<Result>>();
  private readonly abandonment = new AbortController();

  /** Is aborted when the last request has left. */
  get signal(): AbortSignal {
    return this.abandonment.signal;
  }

  /** Settles when the request has received the result, or has left because its client is gone. */
  join(receive: Receiver<Result>, client: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Promise<void>): void => {
        client.removeEventListener("abort", leave);
        resolve(outcome);
      };
      const member = { receive, settle };
      const leave = (): void => {
        this.members.delete(member);
        reject(unavailable("abandoned"));
        if (this.members.size === 0) this.abandonment.abort();
      };
      this.members.add(member);
      client.addEventListener("abort", leave);
    });
  }

  /** Passes the result to all who still wait. Resolves when they have received it, or failed to. */
  async deliver(result: Result): Promise<void> {
    const outcomes = [...this.members].map(({ receive, settle }) => {
      const outcome = receive(result);
      settle(outcome);
      return outcome;
    });
    await Promise.allSettled(outcomes);
  }

  /** Settles all requests that still wait as `outcome` is settled. */
  settle(outcome: Promise<void>): void {
    for (const member of this.members) member.settle(outcome);
  }
}
