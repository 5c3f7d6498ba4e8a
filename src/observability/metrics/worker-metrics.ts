import cluster, { type Worker } from "node:cluster";
import { EventEmitter, once } from "node:events";
import { Gauge } from "prom-client";
import { textOf, type MetricsText } from "./metrics-text";
import { ASK, countersOf, snapshotIn, snapshotOf, sumOf, type Snapshot } from "./snapshots";

/** Milliseconds to wait for the workers. If one takes longer, its previous snapshot counts. */
const PATIENCE = 1_000;

/**
 * The metrics of all workers together, for the primary process. The counts of a worker stay in the sum when it has
 * ended: Prometheus takes a sum that shrinks for a restart, and would count the rest twice.
 */
export class WorkerMetrics {
  private readonly latest = new Map<Worker, Snapshot>();
  /** The counters of all workers that have ended. */
  private past: Snapshot = [];
  /** Emits the id of a worker that has sent a snapshot, or ended. */
  private readonly heard = new EventEmitter();

  constructor() {
    cluster.on("message", (worker, message: unknown) => {
      const snapshot = snapshotIn(message);
      if (!snapshot) return;
      this.latest.set(worker, snapshot);
      this.heard.emit(String(worker.id));
    });
    // Unlike "exit", it comes after the worker's last message.
    cluster.on("disconnect", (worker) => this.retire(worker));
  }

  /** The metrics of all workers as text, as the workers count them now. */
  async text(): Promise<MetricsText> {
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected());
    const signal = AbortSignal.timeout(PATIENCE);
    await Promise.allSettled(
      workers.map((worker) => {
        worker?.send(ASK, () => undefined); // it may have just ended
        return once(this.heard, String(worker?.id), { signal });
      }),
    );
    const sum = sumOf(this.past, ...this.latest.values());
    const help = "Workers that are running.";
    new Gauge({ name: "tea_workers", help, registers: [sum] }).set(workers.length);
    return textOf(sum);
  }

  private retire(worker: Worker): void {
    const last = this.latest.get(worker);
    this.latest.delete(worker);
    if (last) this.past = snapshotOf(sumOf(this.past, countersOf(last)));
    this.heard.emit(String(worker.id));
  }
}
