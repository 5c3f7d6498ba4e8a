import { SharedRead } from "./shared-read";

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
