import { AggregatorRegistry, type Registry } from "prom-client";

/** The values of all metrics of one process at one moment. */
export type Snapshot = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The message by which the primary process asks a worker for a snapshot. */
export const ASK = "tea-shop:metrics?";

const ANSWER = "tea-shop:metrics";

/** In a worker, answers when the primary process asks. The returned function sends a last snapshot. */
export function offerSnapshots(registry: Registry): () => Promise<void> {
  const send = async (): Promise<void> => {
    const message = { type: ANSWER, snapshot: await registry.getMetricsAsJSON() };
    await new Promise<void>((resolve) => {
      if (process.send && process.connected) process.send(message, undefined, {}, () => resolve());
      else resolve();
    });
  };
  process.on("message", (message) => {
    if (message === ASK) send().catch(() => undefined); // without an answer, the primary goes on without it
  });
  return send;
}

/** The snapshot in a worker's message; undefined if it is another message. */
export function snapshotIn(message: unknown): Snapshot | undefined {
  const { type, snapshot } = (message ?? {}) as { type?: unknown; snapshot?: Snapshot };
  return type === ANSWER ? snapshot : undefined;
}

/** The metrics of several processes as one: values are summed, unless a metric names another aggregator. */
export const sumOf = (...snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate([...snapshots]);

/** The snapshot of a sum, whose metrics have their values in them. */
export const snapshotOf = (sum: Registry): Snapshot => sum.getMetricsAsArray() as Snapshot;

/** The part of a snapshot that still counts when its process has ended: all but the gauges. */
export const countersOf = (snapshot: Snapshot): Snapshot =>
  snapshot.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
