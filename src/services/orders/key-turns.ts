import { refusalOf } from "../refusals";

const noop = (): void => undefined;

function throwUnavailable(fault: unknown): void {
  const refusal = refusalOf(fault);
  if (refusal?.code === "UNAVAILABLE") throw refusal;
}

/**
 * Runs the tasks of each idempotency key in this process one after another. The lock of `IdempotencyKeys.claim`
 * alone would do that too, but each waiting task would then hold a database connection.
 */
export class KeyTurns {
  /** The end of the last queued task of each key; it rejects if the task found the database unavailable. */
  private readonly ends = new Map<string, Promise<void>>();

  /** Whether no task runs or waits. Keys then take no memory. */
  get isIdle(): boolean {
    return this.ends.size === 0;
  }

  /**
   * Runs a task after the earlier tasks of its key have ended.
   *
   * @throws DomainError UNAVAILABLE if an earlier task found the database unavailable, so that waiting
   *   tasks don't time out one by one; any error of `task`
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.ends.get(key) ?? Promise.resolve();
    const turn = before.then(task);
    const end = turn.then(noop, throwUnavailable);
    end.catch(noop);
    this.ends.set(key, end);
    try {
      return await turn;
    } finally {
      if (this.ends.get(key) === end) this.ends.delete(key);
    }
  }
}
