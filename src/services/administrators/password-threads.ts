import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";

/** What a thread is asked to do; it answers with whether the first hash is the password's, or the new hash. */
export type PasswordJob =
  | { readonly kind: "compare"; readonly password: string; readonly hashes: readonly string[] }
  | { readonly kind: "hash"; readonly password: string; readonly cost: number };

const PROGRAM = path.join(__dirname, "password-thread.js");

/**
 * Threads of the lowest priority that compare and hash passwords: a comparison takes a core for as long
 * as a hundred requests, which would all wait for it where there are few cores.
 */
export class PasswordThreads {
  private readonly threads = new Set<Worker>();
  private readonly idle: Worker[] = [];

  /** Whether a password is the one of the first hash. It is compared with all of them, in one go. */
  async compare(password: string, hashes: readonly string[]): Promise<boolean> {
    return (await this.run({ kind: "compare", password, hashes })) as boolean;
  }

  /** A new hash of this cost. */
  async hash(password: string, cost: number): Promise<string> {
    return (await this.run({ kind: "hash", password, cost })) as string;
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  /** Runs a job in an idle thread, or in a new one. Only while it runs does the thread keep the process alive. */
  private async run(job: PasswordJob): Promise<unknown> {
    const thread = this.idle.pop() ?? this.start();
    thread.ref();
    const answer = once(thread, "message");
    thread.postMessage(job);
    try {
      const [result] = (await answer) as [unknown];
      this.idle.push(thread);
      return result;
    } finally {
      thread.unref();
    }
  }

  private start(): Worker {
    const thread = new Worker(PROGRAM);
    this.threads.add(thread);
    thread.once("exit", () => {
      this.threads.delete(thread);
      const place = this.idle.indexOf(thread);
      if (place >= 0) this.idle.splice(place, 1);
    });
    // Whoever waits for the thread gets the error from `once`; an idle thread is replaced when it is needed.
    thread.on("error", () => undefined);
    return thread;
  }
}
