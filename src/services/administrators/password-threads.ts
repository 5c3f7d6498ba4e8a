import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * The program of a thread, in JavaScript, as it has no file of its own. Linux knows a priority for each
 * thread, other systems for the whole process alone.
 */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { compareSync, hashSync } = require(workerData.bcrypt);
  if (process.platform === "linux") require("node:os").setPriority(19);
  const jobs = {
    compare: (password, hashes) => hashes.map((hash) => compareSync(password, hash))[0],
    hash: (password, cost) => hashSync(password, cost),
  };
  parentPort.on("message", ([job, ...values]) => parentPort.postMessage(jobs[job](...values)));
`;

/**
 * Threads of the lowest priority that compare and hash passwords: a comparison takes a core for as long
 * as a hundred requests, which would all wait for it where there are few cores.
 */
export class PasswordThreads {
  private readonly threads = new Set<Worker>();
  private readonly idle: Worker[] = [];

  /** Whether a password is the one of the first hash. It is compared with all of them, in one go. */
  async compare(password: string, hashes: readonly string[]): Promise<boolean> {
    return (await this.run("compare", password, hashes)) as boolean;
  }

  /** A new hash of this cost. */
  async hash(password: string, cost: number): Promise<string> {
    return (await this.run("hash", password, cost)) as string;
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  /** Runs a job in a thread of its own if all others are busy; only while it runs does it keep the process alive. */
  private async run(...job: ["compare" | "hash", ...unknown[]]): Promise<unknown> {
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
    const workerData = { bcrypt: require.resolve("bcrypt") };
    const thread = new Worker(PROGRAM, { eval: true, workerData });
    this.threads.add(thread);
    thread.once("exit", () => {
      this.threads.delete(thread);
      const place = this.idle.indexOf(thread);
      if (place >= 0) this.idle.splice(place, 1);
    });
    // Told to whom it works for; an idle one is merely replaced.
    thread.on("error", () => undefined);
    return thread;
  }
}
