import type { Metric, Registry } from "prom-client";

/** A line of a metric, as prom-client's registries exchange them. */
export interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Counts durations in buckets, as plain numbers. prom-client would hash the labels each time, which is too slow for
 * something that every request does.
 */
export class Durations {
  private readonly counts: Float64Array;
  private seconds = 0;

  /** @param bounds the longest duration of each bucket, in seconds */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(seconds: number): void {
    this.seconds += seconds;
    const found = this.bounds.findIndex((bound) => seconds <= bound);
    const bucket = found < 0 ? this.bounds.length : found;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }

  /** The lines of a histogram; none before the first duration. */
  valuesOf(name: string, labels: Value["labels"]): Value[] {
    let count = 0;
    const upTo = Array.from(this.counts, (inBucket, bucket) => {
      count += inBucket;
      const le = String(this.bounds[bucket] ?? "+Inf");
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    if (count === 0) return [];
    return [
      ...upTo,
      { metricName: `${name}_sum`, labels, value: this.seconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

interface ShownMetric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "histogram";
  /** Called whenever the metric is read. */
  readonly values: () => Value[];
}

/** Registers a metric whose values are counted elsewhere. */
export function show(registry: Registry, { values, ...metric }: ShownMetric): void {
  const get = () => Promise.resolve({ ...metric, aggregator: "sum", values: values() });
  // A registry uses only the name and `get`, as it does with prom-client's own sums.
  registry.registerMetric({ ...metric, get } as unknown as Metric);
}
