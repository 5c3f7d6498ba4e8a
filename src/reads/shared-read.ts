import { setImmediate } from "node:timers/promises";

/** Milliseconds after which a read no longer keeps the next one waiting: its connection may hang. */
const PATIENCE = 50;

/** Lets reads run one after another, so that calls gather for the next one while one is under way. */
export class ReadTurns {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when the next read may begin. Then it must begin at once, with {@link begin}. */
  async next(): Promise<void> {
    await this.last;
    await setImmediate(); // requests that arrived together go together
  }

  begin(reading: Promise<unknown>): void {
    this.last = settledOrLate(reading);
  }
}

/**
 * Lets calls that wait at the same time share one read. Each call gets the result of a read that began after
 * the call, so the result is as fresh as if the call had read alone. While a read is under way, all further
 * calls gather for the next one.
 *
 * Each call brings a key, such as the id that it wants; the read gets the keys of all its calls, each once.
 * If a read fails, all its calls fail with the same error, and the next read begins as usual.
 */
export class SharedRead<Key, Result> {
  private gathering: { readonly keys: Set<Key>; readonly result: Promise<Result> } | undefined;
  private readonly turns = new ReadTurns();
  private running = 0;

  constructor(private readonly read: (keys: ReadonlySet<Key>) => Promise<Result>) {}

  /** The result of the next read, which has `key` among its keys. */
  run(key: Key): Promise<Result> {
    this.gathering ??= this.gather();
    this.gathering.keys.add(key);
    return this.gathering.result;
  }

  /** Whether no call waits for a result. */
  get isIdle(): boolean {
    return this.running === 0 && this.gathering === undefined;
  }

  private gather(): { keys: Set<Key>; result: Promise<Result> } {
    const keys = new Set<Key>();
    return { keys, result: this.readFor(keys) };
  }

  private async readFor(keys: ReadonlySet<Key>): Promise<Result> {
    await this.turns.next();
    this.gathering = undefined;
    const reading = this.read(keys);
    this.turns.begin(reading);
    this.running += 1;
    try {
      return await reading;
    } finally {
      this.running -= 1;
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

/**
 * Lets identical reads that wait at the same time share one run, which begins after all of them were asked
 * for. Reads are identical if they have the same key.
 */
export class IdenticalReads<Result> {
  /** Only those that are under way. */
  private readonly reads = new Map<string, SharedRead<undefined, Result>>();

  /** The result of a run of `read` that begins after this call. */
  async run(key: string, read: () => Promise<Result>): Promise<Result> {
    const shared = this.reads.get(key) ?? new SharedRead<undefined, Result>(read);
    this.reads.set(key, shared);
    try {
      return await shared.run(undefined);
    } finally {
      if (shared.isIdle) this.reads.delete(key);
    }
  }
}
