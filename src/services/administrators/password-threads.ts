import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** A job of a thread. `compare` answers whether the password matches the first hash, `hash` the new hash. */
export type PasswordJob =
  | { readonly kind: "compare"; readonly password: string; readonly hashes: readonly string[] }
  | { readonly kind: "hash"; readonly password: string; readonly cost: number };

/** The event loop counts as busy from this utilization on. */
const BUSY = 0.8;

const PROGRAM = path.join(__dirname, "password-thread.js");

interface Thread {
  readonly worker: Worker;
  /** Resolves when the thread may begin its next job. */
  rested: Promise<void>;
}

/**
 * Threads of the lowest priority that compare and hash passwords. A comparison takes as much processor time as
 * a hundred requests; at normal priority, requests would wait for it on a machine with few cores. If the event
 * loop was busy during a job, the thread then rests as long as the job took, because the system gives even
 * threads of the lowest priority some time.
 */
export class PasswordThreads {
  private readonly threads = new Set<Thread>();
  private readonly idle: Thread[] = [];

  /** Whether the password matches the first hash. It is always compared with all hashes. */
  async compare(password: string, hashes: readonly string[]): Promise<boolean> {
    return (await this.run({ kind: "compare", password, hashes })) as boolean;
  }

  async hash(password: string, cost: number): Promise<string> {
    return (await this.run({ kind: "hash", password, cost })) as string;
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads].map(({ worker }) => worker.terminate()));
  }

  /** Runs a job in an idle or a new thread. A thread keeps the process alive only while it runs a job. */
  private async run(job: PasswordJob): Promise<unknown> {
    const thread = this.idle.pop() ?? this.start();
    const { worker } = thread;
    worker.ref(); // the timer of a rest does not keep the process alive
    await thread.rested;
    const started = performance.now();
    const before = performance.eventLoopUtilization();
    const answer = once(worker, "message");
    worker.postMessage(job);
    try {
      const [result] = (await answer) as [unknown];
      const { utilization } = performance.eventLoopUtilization(before);
      if (utilization >= BUSY) thread.rested = rest(performance.now() - started);
      this.idle.push(thread);
      return result;
    } finally {
      worker.unref();
    }
  }

  private start(): Thread {
    const thread = { worker: new Worker(PROGRAM), rested: Promise.resolve() };
    this.threads.add(thread);
    thread.worker.once("exit", () => {
      this.threads.delete(thread);
      const place = this.idle.indexOf(thread);
      if (place >= 0) this.idle.splice(place, 1);
    });
    // A running job gets the error from `once`; an idle thread is replaced when it is needed.
    thread.worker.on("error", () => undefined);
    return thread;
  }
}

const rest = (milliseconds: number): Promise<void> =>
  sleep(milliseconds, undefined, { ref: false });
