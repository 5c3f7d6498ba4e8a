import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Meter } from "../../vocabulary/meter";

// Buckets in seconds. A read from the cache is in the first one; the client gives up on a statement after 1.8 s.
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const STATEMENT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2];
const LOGIN_BUCKETS = [0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts into the metrics of a registry. */
export function prometheusMeter(registry: Registry): Meter {
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]): Counter =>
    new Counter({ name: `tea_${name}_total`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name: `tea_${name}_seconds`, help, buckets, labelNames, registers });
  const gauge = (name: string, help: string, value: () => number): Gauge =>
    new Gauge({
      ...{ name: `tea_${name}`, help, registers },
      collect() {
        this.set(value());
      },
    });
  /** Asks the database at a scrape for what the next one shows: a scrape must not wait for a database that is away. */
  const asking = <Numbers>(
    { name, ...how }: { name: string; help: string; labelNames?: string[] },
    read: () => Promise<Numbers>,
    show: (numbers: Numbers) => void,
  ): Gauge => {
    let reading: Promise<void> | undefined;
    return new Gauge({
      ...{ name: `tea_${name}`, ...how, registers, aggregator: "max" },
      collect: () => {
        reading ??= read()
          .then(show, () => undefined)
          .finally(() => (reading = undefined));
      },
    });
  };
  /** A value of the database, the same for all processes. */
  const shared = (name: string, help: string, ...labelNames: string[]): Gauge =>
    new Gauge({ name: `tea_${name}`, help, labelNames, registers, aggregator: "max" });

  const requests = counter(
    "requests",
    "Requests that were answered, by door, operation and status or error code.",
    ...["door", "operation", "code"],
  );
  const requestTimes = histogram(
    "request_duration",
    "Seconds from a request's head to the end of its answer.",
    REQUEST_BUCKETS,
    ...["door", "operation"],
  );
  const statementTimes = histogram(
    "database_statement_duration",
    "Seconds that statements took, by name or kind.",
    STATEMENT_BUCKETS,
    "statement",
  );
  const statementErrors = counter(
    "database_statement_errors",
    "Statements that failed, by name or kind.",
    "statement",
  );
  const refusals = counter("unavailable", "Refusals with 503, by reason.", "reason");
  const orders = counter("orders_placed", "Orders that were placed.");
  const orderValue = counter("orders_value", "Sum of the totals of placed orders.");
  const reads = counter(
    "reads",
    "Requests by the database that they read, where there are replicas.",
    "database",
  );
  const webhooks = counter("webhook_attempts", "Webhooks by how the attempt ended.", "end");
  const logins = counter("logins", "Logins by how they ended.", "end");
  const loginWaits = histogram("login_wait", "Seconds that logins waited.", LOGIN_BUCKETS);

  return {
    requestEnded: ({ door, operation, code }, seconds) => {
      requests.inc({ door, operation, code });
      requestTimes.observe({ door, operation }, seconds);
    },
    unavailable: (reason) => refusals.inc({ reason }),
    orderPlaced: (totalAmount) => {
      orders.inc();
      orderValue.inc(Number(totalAmount));
    },
    loginWaited: (seconds) => loginWaits.observe(seconds),
    loginEnded: (end) => logins.inc({ end }),
    webhookEnded: (end) => webhooks.inc({ end }),
    statementEnded: (statement, seconds, failed) => {
      statementTimes.observe({ statement }, seconds);
      statementErrors.inc({ statement }, Number(failed));
    },
    readFrom: (database) => reads.inc({ database }),
    watchPool: (read) => {
      const most = "Connections that the pool may open.";
      gauge("database_connections_max", most, () => read().size);
      const used = "Connections of the pool that are in use.";
      gauge("database_connections_in_use", used, () => read().inUse);
      const waiting = "Requests that wait for a connection.";
      gauge("database_requests_waiting", waiting, () => read().waiting);
      new Counter({
        name: "tea_database_requests_refused_total",
        help: "Requests that got no connection.",
        registers,
        collect() {
          this.reset();
          this.inc(read().refused);
        },
      });
    },
    watchReplicas: (read) => {
      new Gauge({
        name: "tea_replica_used",
        help: "Processes that read from a replica.",
        labelNames: ["replica"],
        registers,
        collect() {
          for (const [replica, state] of read()) this.set({ replica }, Number(state === "used"));
        },
      });
    },
    watchProxies: (read) => {
      const help = "Processes most of whose last 1,000 requests do not fit TRUST_PROXY.";
      gauge("trust_proxy_unfit", help, () => Number(read()));
    },
    watchSequences: (read) => {
      const help = "Share of a sequence's numbers that is used.";
      const name = "database_sequence_used_ratio";
      const used = asking({ name, help, labelNames: ["sequence"] }, read, (shares) => {
        for (const [sequence, share] of shares) used.set({ sequence }, share);
      });
    },
    watchWebhooks: (read) => {
      const oldest = shared("webhooks_oldest_seconds", "Age of the oldest of them.");
      const due = "For how long the one that is due longest has been due.";
      const overdue = shared("webhooks_overdue_seconds", due);
      const endpoints = shared("webhook_endpoints", "Endpoints by their state.", "state");
      const help = "Webhooks that are still to be sent.";
      const waiting = asking({ name: "webhooks_waiting", help }, read, (numbers) => {
        waiting.set(numbers.waiting);
        oldest.set(numbers.oldest);
        overdue.set(numbers.overdue);
        for (const [state, count] of Object.entries(numbers.endpoints)) {
          endpoints.set({ state }, count);
        }
      });
    },
  };
}
