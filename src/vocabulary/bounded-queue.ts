import { unavailable, type Unavailability } from "./errors";

/** Runs a few tasks at a time. A bounded number of tasks may wait; all others are refused at once. */
export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly limits: {
      readonly concurrency: number;
      readonly waiting: number;
      /** The longest wait in milliseconds; unlimited by default. */
      readonly patience?: number;
    },
  ) {}

  /**
   * @param signal is aborted when nobody wants the task any more; a task that waits then leaves the queue
   * @throws DomainError UNAVAILABLE if too many tasks are waiting already, after too long a wait, or if the
   *   signal was aborted before the task began
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw unavailable("abandoned");
    if (this.running < this.limits.concurrency) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.limits.waiting) throw unavailable("lists");
    // A finished task hands its place directly to the next waiting task, so that no newcomer can take it.
    await new Promise<void>((resolve, reject) => {
      const stopListening = (): void => {
        clearTimeout(limit);
        signal?.removeEventListener("abort", abandon);
      };
      const enter = (): void => {
        stopListening();
        resolve();
      };
      const quit = (reason: Unavailability): void => {
        stopListening();
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(unavailable(reason));
      };
      const abandon = (): void => quit("abandoned");
      const limit = this.limits.patience && setTimeout(quit, this.limits.patience, "lists");
      signal?.addEventListener("abort", abandon);
      this.waiting.push(enter);
    });
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
