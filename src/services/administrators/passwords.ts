import type { PasswordSettings } from "../../config/settings";
import { PASSWORD_MAX_BYTES } from "../../vocabulary/text/password";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/**
 * The form of a bcrypt hash; the first group is the cost, from 4 to 31. The pattern means the same in
 * JavaScript and in PostgreSQL.
 */
export const BCRYPT_HASH = "^[$]2[ab][$](0[4-9]|[12][0-9]|3[01])[$][./A-Za-z0-9]{53}$";

/** Salt and digest of a dummy hash. A comparison with it costs as much as with a real hash. */
const DUMMY = "C6UzMDM.H6dfI/f/IKcEeO7DNp2xJOPRxyM/dGbMm3tDNjkmKPsTS";

/** Hashes passwords with bcrypt in low-priority threads. The login queue limits how many run at a time. */
export class Passwords {
  private readonly threads = new PasswordThreads();

  constructor(private readonly settings: PasswordSettings) {}

  hash(password: string): Promise<string> {
    return this.threads.hash(password, this.settings.cost);
  }

  isCurrent(passwordHash: string): boolean {
    return costOf(passwordHash) === this.settings.cost;
  }

  /**
   * Whether the password matches the hash. A password longer than the 72 bytes that bcrypt reads matches none.
   * Each call takes as long as a comparison at `highestCost`, the highest cost of all stored hashes, even without
   * a hash: so the time does not reveal whether an account exists (contract 5.3).
   */
  async matches(
    password: string,
    passwordHash: string | undefined,
    highestCost: number = this.settings.cost,
  ): Promise<boolean> {
    const hashes = hashesOfTotalCost(highestCost, passwordHash);
    const equal = await this.threads.compare(password, hashes);
    return equal && Buffer.byteLength(password) <= PASSWORD_MAX_BYTES;
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}

/**
 * The given hash, and dummy hashes beside it. Comparing with all of them takes as long as with one hash of cost
 * `total`. Each step of the cost doubles the work, so a hash of cost 8 gets dummies of 8, 9, 10 and 11 to reach 12:
 * 2^8 + (2^8 + 2^9 + 2^10 + 2^11) = 2^12.
 */
function hashesOfTotalCost(total: number, passwordHash: string | undefined): string[] {
  const cost = passwordHash === undefined ? undefined : costOf(passwordHash);
  if (passwordHash === undefined || cost === undefined) return [dummyHash(total)];
  const hashes = [passwordHash];
  for (let step = cost; step < total; step += 1) hashes.push(dummyHash(step));
  return hashes;
}

const dummyHash = (cost: number): string => `$2b$${String(cost).padStart(2, "0")}$${DUMMY}`;

/** The cost of a hash; undefined if bcrypt can't read the hash. */
function costOf(passwordHash: string): number | undefined {
  const cost = new RegExp(BCRYPT_HASH).exec(passwordHash)?.[1];
  return cost === undefined ? undefined : Number(cost);
}

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
 * loop was busy during a job, the thread then rests twice as long as the job took, because the system gives even
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
      if (utilization >= BUSY) thread.rested = rest(2 * (performance.now() - started));
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
