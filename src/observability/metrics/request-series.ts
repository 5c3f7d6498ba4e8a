import type { Registry } from "prom-client";
import type { RequestTally } from "../../vocabulary/meter";
import { BoundedNames } from "./bounded-names";
import { Durations, show, type Value } from "./durations";

/** The most operations of one door; a door has a few dozen. */
const MOST_OPERATIONS = 100;

/** In seconds. A read from the cache is in the first bucket. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The answers of one operation. */
class Tally implements RequestTally {
  private readonly codes = new Map<number | string, number>();
  private readonly durations = new Durations(BOUNDS);

  constructor(private readonly labels: { readonly door: string; readonly operation: string }) {}

  add(code: number | string, seconds: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    this.durations.add(seconds);
  }

  countsOf(metricName: string): Value[] {
    return Array.from(this.codes, ([code, value]) => ({
      metricName,
      labels: { ...this.labels, code: String(code) },
      value,
    }));
  }

  durationsOf(metricName: string): Value[] {
    return this.durations.valuesOf(metricName, this.labels);
  }
}

/** Counts the answers of each operation of each door, by code, and how long they took. */
export class RequestSeries {
  private readonly doors = new Map<string, BoundedNames<Tally>>();

  constructor(registry: Registry) {
    const [requests, durations] = ["tea_requests_total", "tea_request_duration_seconds"] as const;
    show(registry, {
      name: requests,
      help: "Requests that were answered, by door, operation and status or error code.",
      type: "counter",
      values: () => this.tallies().flatMap((tally) => tally.countsOf(requests)),
    });
    show(registry, {
      name: durations,
      help: "Seconds from a request's head to the end of its answer.",
      type: "histogram",
      values: () => this.tallies().flatMap((tally) => tally.durationsOf(durations)),
    });
  }

  /** The tally of an operation; the same one each time. */
  of(door: string, operation: string): RequestTally {
    let operations = this.doors.get(door);
    if (!operations) {
      const create = (name: string) => new Tally({ door, operation: name });
      operations = new BoundedNames(MOST_OPERATIONS, create);
      this.doors.set(door, operations);
    }
    return operations.of(operation);
  }

  private tallies(): Tally[] {
    return [...this.doors.values()].flatMap((operations) => [...operations]);
  }
}
