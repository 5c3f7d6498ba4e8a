import { collectDefaultMetrics, Registry } from "prom-client";
import type { Meter } from "../../vocabulary/meter";
import { offerSnapshots } from "./worker-metrics";
import { prometheusMeter } from "./prometheus-meter";

/** The metrics of one process. */
export interface ProcessMetrics {
  /** Counts what a shop reports to it. */
  readonly meter: Meter;
  /** All of them, in the text format of Prometheus. */
  text(): Promise<string>;
  /**
   * In a worker, lets the main process ask for its metrics. The returned function sends them for the last time.
   */
  offerToMain(): () => Promise<void>;
}

/** Creates the metrics of a shop and of Node itself: CPU, memory, garbage collection and event loop. */
export function createMetrics(): ProcessMetrics {
  const registry = new Registry();
  const meter = prometheusMeter(registry);
  collectDefaultMetrics({ register: registry });
  return {
    meter,
    text: () => registry.metrics(),
    offerToMain: () => offerSnapshots(registry),
  };
}
