import type { Registry } from "prom-client";

/** Metrics in the text format of Prometheus. */
export interface MetricsPage {
  readonly mediaType: string;
  readonly text: string;
}

/** All metrics of a registry. */
export const pageOf = async (registry: Registry): Promise<MetricsPage> => ({
  mediaType: registry.contentType,
  text: await registry.metrics(),
});
