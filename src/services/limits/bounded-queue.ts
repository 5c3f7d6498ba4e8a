import { unavailable } from "../../errors";

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

  /** @throws DomainError UNAVAILABLE if too many tasks are waiting already, or after too long a wait */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.limits.waiting) throw unavailable("lists");
    // A finished task hands its place directly to the next waiting task, so that no newcomer can take it.
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(limit);
        resolve();
      };
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(unavailable("lists"));
      };
      const limit = this.limits.patience && setTimeout(giveUp, this.limits.patience);
      this.waiting.push(enter);
    });
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
