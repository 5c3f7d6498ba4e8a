import type { Registry } from "prom-client";

/** Metrics in the text format of Prometheus. */
export interface MetricsText {
  readonly mediaType: string;
  readonly text: string;
}

/** All metrics of a registry. */
export const textOf = async (registry: Registry): Promise<MetricsText> => ({
  mediaType: registry.contentType,
  text: await registry.metrics(),
});
