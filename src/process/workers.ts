import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { OperatorError } from "../vocabulary/errors";

/** Milliseconds before a dead worker is replaced. The time doubles each time, until a worker has lived for a while. */
const FIRST_BACK_OFF = 100;
const LONGEST_BACK_OFF = 10_000;
const STEADY_AFTER = 30_000;

/** Milliseconds after which a worker is killed that was asked to end and has not ended. */
const END_TIMEOUT = 9_500;

export interface Workers {
  /** Replaces the workers one after another; each is stopped when its successor listens. */
  roll(): Promise<void>;
  /** Asks all workers to finish their requests, and resolves when they have ended. */
  stop(): Promise<void>;
}

/**
 * Starts `count` workers, which run the same program and listen on the same port, and replaces workers that die.
 * Resolves when all of them listen.
 *
 * @throws OperatorError if a worker can't start; the worker itself reports why
 */
export async function startWorkers(count: number, logger: Logger): Promise<Workers> {
  const pool = new WorkerPool(count, logger);
  const started = await Promise.all(Array.from({ length: count }, () => pool.add()));
  if (started.every(Boolean)) return pool;
  await pool.stop();
  throw new OperatorError("The workers could not start");
}

/**
 * Takes a worker out of service before it ends; does nothing in another process. The main process may have handed the
 * worker a connection that the worker has not taken yet. It would be lost, so this resolves only when such a
 * connection has gone back, to be given to another worker. If the main process is gone, this one ends.
 */
export async function leaveMain(): Promise<void> {
  if (!cluster.isWorker || !process.connected) return;
  const left = once(process, "disconnect");
  cluster.worker?.disconnect();
  await left;
}

class WorkerPool implements Workers {
  private readonly workers = new Set<Worker>();
  private readonly stopping = new AbortController();
  private backOff = FIRST_BACK_OFF;
  private replacing = false;
  private rolling: Promise<void> = Promise.resolve();

  constructor(
    private readonly count: number,
    private readonly logger: Logger,
  ) {}

  /** Starts a worker and resolves when it listens. Returns false if it ended before that or could not be forked. */
  async add(): Promise<boolean> {
    try {
      const worker = cluster.fork();
      this.workers.add(worker);
      this.watch(worker);
      return await Promise.race([
        once(worker, "listening").then(() => true),
        once(worker, "exit").then(() => false),
      ]);
    } catch (error) {
      this.logger.error({ err: error }, "a worker failed");
      return false;
    }
  }

  roll(): Promise<void> {
    this.rolling = this.rolling.then(async () => {
      for (const worker of [...this.workers]) {
        if (this.isStopping) return;
        if (!this.workers.has(worker)) continue; // it died and was replaced
        if (!(await this.add())) {
          this.logger.error("a new worker could not start; the others stay");
          return;
        }
        await this.end(worker);
        await this.fill();
      }
      this.logger.info("rolled all workers");
    });
    return this.rolling;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.workers].map((worker) => this.end(worker)));
    await this.rolling; // it may be waiting for a worker to end
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Replaces the worker if it ends without being asked to. */
  private watch(worker: Worker): void {
    const started = performance.now();
    const gone = (code?: number, signal?: string): void => {
      const wasAsked = !this.workers.delete(worker);
      if (wasAsked || this.isStopping) return;
      this.logger.error({ worker: worker.process.pid, code, signal }, "a worker died");
      if (performance.now() - started > STEADY_AFTER) this.backOff = FIRST_BACK_OFF;
      void this.replace();
    };
    worker.once("exit", gone);
    worker.on("error", () => {
      if (worker.process.pid === undefined) gone();
    });
  }

  private async replace(): Promise<void> {
    if (this.replacing) return;
    this.replacing = true;
    while (!this.isStopping && this.workers.size < this.count) {
      const wait = this.backOff;
      this.backOff = Math.min(wait * 2, LONGEST_BACK_OFF);
      await setTimeout(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      await this.fill();
    }
    this.replacing = false;
  }

  /** Starts the missing workers; stops at the first that can't start. */
  private async fill(): Promise<void> {
    while (!this.isStopping && this.workers.size < this.count) {
      if (!(await this.add())) return;
    }
  }

  private async end(worker: Worker): Promise<void> {
    this.workers.delete(worker);
    if (worker.isDead()) return;
    // `once` of node:events would reject on the worker's errors, which don't mean that the worker has ended.
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.process.kill("SIGTERM");
    const limit = globalThis.setTimeout(() => worker.process.kill("SIGKILL"), END_TIMEOUT);
    await ended;
    clearTimeout(limit);
  }
}
