import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type {
  LoginEnd,
  Meter,
  PoolNumbers,
  RequestTally,
  WebhookEnd,
  WebhookNumbers,
} from "../../vocabulary/meter";
import { RequestSeries, StatementSeries } from "./series";

/** In seconds. */
const LOGIN_BUCKETS = [0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts into the metrics of one registry. */
export class PrometheusMeter implements Meter {
  private readonly requests: RequestSeries;
  private readonly statements: StatementSeries;
  private readonly refusals: Counter;
  private readonly orders: Counter;
  private readonly orderValue: Counter;
  private readonly logins: Counter;
  private readonly loginWaits: Histogram;
  private readonly webhooks: Counter;
  private readonly reads: Counter;

  constructor(private readonly registry: Registry) {
    this.requests = new RequestSeries(registry);
    this.statements = new StatementSeries(registry);
    this.refusals = this.counter("unavailable", "Refusals with 503, by reason.", "reason");
    this.orders = this.counter("orders_placed", "Orders that were placed.");
    this.orderValue = this.counter("orders_value", "Sum of the totals of placed orders.");
    const reads = "Requests by the database that they read, where there are replicas.";
    this.reads = this.counter("reads", reads, "database");
    this.webhooks = this.counter("webhook_attempts", "Webhooks by how the attempt ended.", "end");
    this.logins = this.counter("logins", "Logins by how they ended.", "end");
    this.loginWaits = new Histogram({
      name: "tea_login_wait_seconds",
      help: "Seconds that logins waited for their turn.",
      buckets: LOGIN_BUCKETS,
      registers: [registry],
    });
  }

  requestsOf(door: string, operation: string): RequestTally {
    return this.requests.of(door, operation);
  }

  unavailable(reason: string): void {
    this.refusals.inc({ reason });
  }

  orderPlaced(totalAmount: string): void {
    this.orders.inc();
    this.orderValue.inc(Number(totalAmount));
  }

  loginWaited(seconds: number): void {
    this.loginWaits.observe(seconds);
  }

  loginEnded(end: LoginEnd): void {
    this.logins.inc({ end });
  }

  webhookEnded(end: WebhookEnd): void {
    this.webhooks.inc({ end });
  }

  statementEnded(name: string, seconds: number, failed: boolean): void {
    this.statements.add(name, seconds, failed);
  }

  watchPool(read: () => PoolNumbers): void {
    this.gauge(
      "database_connections_max",
      "Connections that the pool may open.",
      () => read().size,
    );
    this.gauge(
      "database_connections_in_use",
      "Connections of the pool that are in use.",
      () => read().inUse,
    );
    this.gauge(
      "database_requests_waiting",
      "Requests that wait for a connection.",
      () => read().waiting,
    );
    new Counter({
      name: "tea_database_requests_refused_total",
      help: "Requests that got no connection.",
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read().refused);
      },
    });
  }

  readFrom(database: string): void {
    this.reads.inc({ database });
  }

  watchReplicas(read: () => ReadonlyMap<string, string | undefined>): void {
    const gauge = new Gauge({
      name: "tea_replica_used",
      help: "Processes that read from a replica.",
      labelNames: ["replica"],
      registers: [this.registry],
      collect() {
        for (const [replica, state] of read()) gauge.set({ replica }, Number(state === "used"));
      },
    });
  }

  watchSequences(read: () => Promise<ReadonlyMap<string, number>>): void {
    const help = "Share of a sequence's numbers that is used.";
    const gauge = this.shared("database_sequence_used_ratio", help, ["sequence"], () => ask());
    const ask = askingOnce(read, (shares) => {
      for (const [sequence, share] of shares) gauge.set({ sequence }, share);
    });
  }

  watchWebhooks(read: () => Promise<WebhookNumbers>): void {
    const help = "Webhooks that are still to be sent.";
    const waiting = this.shared("webhooks_waiting", help, [], () => ask());
    const oldest = this.shared("webhooks_oldest_seconds", "Age of the oldest of them.");
    const due = "For how long the one that is due longest has been due.";
    const overdue = this.shared("webhooks_overdue_seconds", due);
    const endpoints = this.shared("webhook_endpoints", "Endpoints by their state.", ["state"]);
    const ask = askingOnce(read, (numbers) => {
      waiting.set(numbers.waiting);
      oldest.set(numbers.oldest);
      overdue.set(numbers.overdue);
      for (const [state, count] of Object.entries(numbers.endpoints)) {
        endpoints.set({ state }, count);
      }
    });
  }

  watchProxies(read: () => boolean): void {
    const help = "Processes most of whose last 1,000 requests do not fit TRUST_PROXY.";
    this.gauge("trust_proxy_unfit", help, () => Number(read()));
  }

  /** A gauge of the database, for which all processes have the same value. */
  private shared(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    collect?: () => void,
  ): Gauge {
    return new Gauge({
      ...{ name: `tea_${name}`, help, labelNames: [...labelNames], registers: [this.registry] },
      ...{ aggregator: "max", ...(collect && { collect }) },
    });
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name: `tea_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(value());
      },
    });
  }

  private counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: `tea_${name}_total`, help, labelNames, registers: [this.registry] });
  }
}

/**
 * Asks at a scrape for what the next one shows: a scrape must not wait for a database that is away. It is asked once at
 * a time.
 */
function askingOnce<Numbers>(
  read: () => Promise<Numbers>,
  take: (numbers: Numbers) => void,
): () => void {
  let reading: Promise<void> | undefined;
  return () => {
    reading ??= read()
      .then(take)
      .catch(() => undefined)
      .finally(() => (reading = undefined));
  };
}
