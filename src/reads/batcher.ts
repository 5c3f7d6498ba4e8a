import { setImmediate } from "node:timers/promises";

/** Milliseconds after which a read no longer keeps the next one waiting: its connection may hang. */
const PATIENCE = 50;

/**
 * Answers calls that wait together by one read. Each call gets the result of a read that began after the call, so the
 * result is as fresh as if the call had read alone. While a read runs, all further calls wait for the next one.
 *
 * Each call brings a key, such as the id that it wants; the read gets the keys of its calls, each once. If a read
 * fails, its calls fail with the same error, and the next read begins as usual.
 */
export class Batcher<Key, Result> {
  private batch: { readonly keys: Set<Key>; readonly result: Promise<Result> } | undefined;
  private previous: Promise<void> = Promise.resolve();
  private reads = 0;

  constructor(private readonly read: (keys: ReadonlySet<Key>) => Promise<Result>) {}

  /** The result of the next read, which has `key` among its keys. */
  run(key: Key): Promise<Result> {
    this.batch ??= this.nextBatch();
    this.batch.keys.add(key);
    return this.batch.result;
  }

  /** Whether no call waits for a result. */
  get isIdle(): boolean {
    return this.reads === 0 && this.batch === undefined;
  }

  private nextBatch(): { keys: Set<Key>; result: Promise<Result> } {
    const keys = new Set<Key>();
    return { keys, result: this.readFor(keys) };
  }

  private async readFor(keys: ReadonlySet<Key>): Promise<Result> {
    await this.previous;
    await setImmediate(); // requests that arrived together go together
    this.batch = undefined;
    const reading = this.read(keys);
    this.previous = settledOrLate(reading);
    this.reads += 1;
    try {
      return await reading;
    } finally {
      this.reads -= 1;
    }
  }
}

/**
 * Lets calls with the same key share one read. A change throws all answers out of the cache at once; then a thousand
 * waiting requests cause one read. A call never joins a read that began before it, which might miss the change.
 */
export class SingleFlight<Result> {
  /** Only those with a read that runs or waits. */
  private readonly flights = new Map<string, Batcher<undefined, Result>>();

  /** The result of a run of `read` that begins after this call. */
  async run(key: string, read: () => Promise<Result>): Promise<Result> {
    const flight = this.flights.get(key) ?? new Batcher<undefined, Result>(read);
    this.flights.set(key, flight);
    try {
      return await flight.run(undefined);
    } finally {
      if (flight.isIdle) this.flights.delete(key);
    }
  }
}

const settledOrLate = (reading: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, PATIENCE);
    const settled = (): void => {
      clearTimeout(late);
      resolve();
    };
    reading.then(settled, settled);
  });
