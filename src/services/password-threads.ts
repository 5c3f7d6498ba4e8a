import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * The program of a thread, in JavaScript, as it has no file of its own. Linux knows a priority for each
 * thread, other systems for the whole process alone.
 */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { compareSync } = require(workerData.bcrypt);
  if (process.platform === "linux") require("node:os").setPriority(19);
  parentPort.on("message", ([password, hash]) => parentPort.postMessage(compareSync(password, hash)));
`;

/**
 * Threads of the lowest priority that compare passwords: a comparison takes a core for as long as a
 * hundred requests, which would all wait for it where there are few cores.
 */
export class PasswordThreads {
  private readonly threads = new Set<Worker>();
  private readonly idle: Worker[] = [];

  /** Whether a password is the one that was hashed, in a thread of its own if all others are busy. */
  async compare(password: string, passwordHash: string): Promise<boolean> {
    const thread = this.idle.pop() ?? this.start();
    const answer = once(thread, "message");
    thread.postMessage([password, passwordHash]);
    const [equal] = (await answer) as [boolean];
    this.idle.push(thread);
    return equal;
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  private start(): Worker {
    const workerData = { bcrypt: require.resolve("bcrypt") };
    const thread = new Worker(PROGRAM, { eval: true, workerData });
    this.threads.add(thread);
    thread.unref();
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
