import { Counter, Histogram, type Registry } from "prom-client";
import type { RequestTally } from "../../vocabulary/meter";

/** Stands for all names beyond the limit. */
const OTHER = "other";

/**
 * One value for each name, and one for all names beyond a limit, so that metrics never get more series. The source
 * code bounds the names that callers pass; the limit guards against mistakes.
 */
class BoundedNames<Value> {
  private readonly values = new Map<string, Value>();

  constructor(
    private readonly limit: number,
    private readonly create: (name: string) => Value,
  ) {}

  /** The value of a name. It is created when the name is first used. */
  of(name: string): Value {
    const known = this.values.get(name);
    if (known !== undefined) return known;
    if (this.values.size >= this.limit && name !== OTHER) return this.of(OTHER);
    const value = this.create(name);
    this.values.set(name, value);
    return value;
  }
}

/** The most operations of one door; a door has a few dozen. */
const MOST_OPERATIONS = 100;

/** In seconds. A read from the cache is in the first bucket. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts the answers of each operation of each door, by code, and how long they took. */
export class RequestSeries {
  private readonly doors = new Map<string, BoundedNames<RequestTally>>();
  private readonly requests: Counter;
  private readonly durations: Histogram;

  constructor(registry: Registry) {
    this.requests = new Counter({
      name: "tea_requests_total",
      help: "Requests that were answered, by door, operation and status or error code.",
      labelNames: ["door", "operation", "code"],
      registers: [registry],
    });
    this.durations = new Histogram({
      name: "tea_request_duration_seconds",
      help: "Seconds from a request's head to the end of its answer.",
      labelNames: ["door", "operation"],
      buckets: REQUEST_BUCKETS,
      registers: [registry],
    });
  }

  /** The tally of an operation; the same one each time. */
  of(door: string, operation: string): RequestTally {
    let operations = this.doors.get(door);
    if (!operations) {
      operations = new BoundedNames(MOST_OPERATIONS, (name) => this.tallyOf(door, name));
      this.doors.set(door, operations);
    }
    return operations.of(operation);
  }

  private tallyOf(door: string, operation: string): RequestTally {
    const durations = this.durations.labels({ door, operation });
    return {
      add: (code, seconds) => {
        this.requests.inc({ door, operation, code });
        durations.observe(seconds);
      },
    };
  }
}

/** The most names of statements; the service has a few dozen. */
const MOST_STATEMENTS = 200;

/** In seconds. The client gives up on a statement after 1.8 s. */
const STATEMENT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2];

/** Counts statements by name, how long they took, and those that failed. */
export class StatementSeries {
  private readonly statements = new BoundedNames(MOST_STATEMENTS, (statement) => {
    this.errors.inc({ statement }, 0);
    return { statement };
  });
  private readonly durations: Histogram;
  private readonly errors: Counter;

  constructor(registry: Registry) {
    this.durations = new Histogram({
      name: "tea_database_statement_duration_seconds",
      help: "Seconds that statements took, by name or kind.",
      labelNames: ["statement"],
      buckets: STATEMENT_BUCKETS,
      registers: [registry],
    });
    this.errors = new Counter({
      name: "tea_database_statement_errors_total",
      help: "Statements that failed, by name or kind.",
      labelNames: ["statement"],
      registers: [registry],
    });
  }

  add(name: string, seconds: number, failed: boolean): void {
    const labels = this.statements.of(name);
    this.durations.observe(labels, seconds);
    if (failed) this.errors.inc(labels);
  }
}
