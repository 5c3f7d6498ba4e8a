import { collectDefaultMetrics, Registry } from "prom-client";
import type { Meter } from "../../vocabulary/meter";
import { textOf, type MetricsText, offerSnapshots } from "./worker-metrics";
import { PrometheusMeter } from "./prometheus-meter";

/** The metrics of one process. */
export interface ProcessMetrics {
  /** Counts what a shop reports to it. */
  readonly meter: Meter;
  text(): Promise<MetricsText>;
  /**
   * In a worker, lets the primary process ask for its metrics. The returned function sends them for the last time.
   */
  offerToPrimary(): () => Promise<void>;
}

/** Creates the metrics of a shop and of Node itself: CPU, memory, garbage collection and event loop. */
export function createMetrics(): ProcessMetrics {
  const registry = new Registry();
  const meter = new PrometheusMeter(registry);
  collectDefaultMetrics({ register: registry });
  return {
    meter,
    text: () => textOf(registry),
    offerToPrimary: () => offerSnapshots(registry),
  };
}
