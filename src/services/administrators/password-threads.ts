import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";

/** A job of a thread. The answer is whether the password matches the first hash, or the new hash. */
export type PasswordJob =
  | { readonly kind: "compare"; readonly password: string; readonly hashes: readonly string[] }
  | { readonly kind: "hash"; readonly password: string; readonly cost: number };

const PROGRAM = path.join(__dirname, "password-thread.js");

/**
 * Threads of the lowest priority that compare and hash passwords. A comparison takes as much processor time
 * as a hundred requests; at normal priority, requests would wait for it on a machine with few cores.
 */
export class PasswordThreads {
  private readonly threads = new Set<Worker>();
  private readonly idle: Worker[] = [];

  /** Whether the password matches the first hash. It is always compared with all hashes. */
  async compare(password: string, hashes: readonly string[]): Promise<boolean> {
    return (await this.run({ kind: "compare", password, hashes })) as boolean;
  }

  async hash(password: string, cost: number): Promise<string> {
    return (await this.run({ kind: "hash", password, cost })) as string;
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  /** Runs a job in an idle or a new thread. A thread keeps the process alive only while it runs a job. */
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
    // A running job gets the error from `once`; an idle thread is replaced when it is needed.
    thread.on("error", () => undefined);
    return thread;
  }
}
