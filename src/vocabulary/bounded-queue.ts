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
      /** The reason of its refusals; `lists` by default. */
      readonly reason?: Unavailability;
    },
  ) {}

  get isFull(): boolean {
    return this.running >= this.limits.concurrency;
  }

  /**
   * Runs a task when it gets a slot.
   *
   * @param signal is aborted when nobody wants the task any more; a task that waits then leaves the queue
   * @param most the number of tasks that may wait before this one; the queue's own limit by default
   * @throws DomainError UNAVAILABLE if too many tasks are waiting already, after too long a wait, or if the
   *   signal was aborted before the task began
   */
  async run<T>(
    task: () => Promise<T>,
    signal?: AbortSignal,
    most = this.limits.waiting,
  ): Promise<T> {
    await this.enter(signal, most);
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  /** Waits for a slot, under the terms of {@link run}. The caller must {@link leave} it. */
  async enter(signal?: AbortSignal, most = this.limits.waiting): Promise<void> {
    if (signal?.aborted) throw unavailable("abandoned");
    if (!this.isFull) {
      this.running += 1;
      return;
    }
    const { patience, reason = "lists" } = this.limits;
    if (this.waiting.length >= most) throw unavailable(reason);
    // A finished task hands its slot directly to the next waiting task, so that no newcomer can take it.
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
      const limit = patience && setTimeout(quit, patience, reason);
      signal?.addEventListener("abort", abandon);
      this.waiting.push(enter);
    });
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
