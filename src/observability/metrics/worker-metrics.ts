import { type Registry, AggregatorRegistry, Gauge } from "prom-client";
import cluster, { type Worker } from "node:cluster";
import { EventEmitter, once } from "node:events";

/** The values of all metrics of one process at one moment. */
type Snapshot = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The message by which the main process asks a worker for a snapshot. */
const ASK = "tea-shop:metrics?";

const ANSWER = "tea-shop:metrics";

/** In a worker, answers when the main process asks. The returned function sends a last snapshot. */
export function offerSnapshots(registry: Registry): () => Promise<void> {
  const send = async (): Promise<void> => {
    const message = { type: ANSWER, snapshot: await registry.getMetricsAsJSON() };
    await new Promise<void>((resolve) => {
      if (process.send && process.connected) process.send(message, undefined, {}, () => resolve());
      else resolve();
    });
  };
  process.on("message", (message) => {
    if (message === ASK) send().catch(() => undefined); // the main process goes on without an answer
  });
  return send;
}

/** The snapshot in a worker's message; undefined if it is another message. */
function snapshotIn(message: unknown): Snapshot | undefined {
  const { type, snapshot } = (message ?? {}) as { type?: unknown; snapshot?: Snapshot };
  return type === ANSWER ? snapshot : undefined;
}

/** The metrics of several processes as one: values are summed, unless a metric names another aggregator. */
const sumOf = (...snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate([...snapshots]);

/** The snapshot of a sum, whose metrics have their values in them. */
const snapshotOf = (sum: Registry): Snapshot => sum.getMetricsAsArray() as Snapshot;

/** The part of a snapshot that still counts when its process has ended: all but the gauges. */
const countersOf = (snapshot: Snapshot): Snapshot =>
  snapshot.filter(({ type }) => ["counter", "histogram"].includes(String(type)));

/** Milliseconds to wait for the workers. If one takes longer, its previous snapshot counts. */
const PATIENCE = 1_000;

/**
 * The metrics of all workers together, for the main process. The counts of a worker stay in the sum when it has
 * ended: Prometheus takes a sum that shrinks for a restart, and would count the rest twice.
 */
export class WorkerMetrics {
  private readonly latest = new Map<Worker, Snapshot>();
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
  async text(): Promise<string> {
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
    return sum.metrics();
  }

  private retire(worker: Worker): void {
    const last = this.latest.get(worker);
    this.latest.delete(worker);
    if (last) this.past = snapshotOf(sumOf(this.past, countersOf(last)));
    this.heard.emit(String(worker.id));
  }
}
