import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Sequelize, type SequelizeOptions } from "sequelize-typescript";
import type { DatabaseSettings } from "../../config/settings";
import { models } from "../../models";
import { writeContextJson } from "../../vocabulary/current-work";
import { unavailable } from "../../vocabulary/errors";
import type { Meter, PoolNumbers } from "../../vocabulary/meter";
import { hostsOf, wantsPrimary } from "../../vocabulary/text/connection-string";
import { observedClient, TimeoutClient, UnnamedClient } from "./clients";
import { beginWith, managerOf, type ConnectionOptions, type PooledConnection } from "./internals";
import { slowStatements, statementMeter, type SlowStatements } from "./observers";
import { usePrimary } from "./primary";

const CLOSE_TIMEOUT = 1_000;

interface Observers {
  readonly slow?: SlowStatements | undefined;
  /** Counts every statement, and gets a function that reads the numbers of the pool. */
  readonly meter?: Meter | undefined;
}

type PoolOptions = Pick<DatabaseSettings, "url" | "poolSize"> & Partial<DatabaseSettings>;

/** Options that Sequelize's declarations leave out. */
const undeclared: object = {
  // The oldest supported version; without it Sequelize would open a connection to ask for the version.
  databaseVersion: "15.0.0",
  // Sequelize's SET would be lost behind a pooler; the client sends the time zone when the session starts.
  keepDefaultTimezone: true,
};

/** A pool that closes in bounded time and hands out connections only through its circuit breaker. */
class GuardedSequelize extends Sequelize {
  readonly breaker: CircuitBreaker;

  constructor(url: string, queueLimit: number, options: SequelizeOptions) {
    const urls = hostsOf(url);
    super(urls[0] ?? url, options);
    if (wantsPrimary(url)) usePrimary(this, urls);
    this.breaker = new CircuitBreaker(this, queueLimit);
  }

  /** Resolves after {@link CLOSE_TIMEOUT} at the latest, because a server that hangs never answers. */
  override async close(): Promise<void> {
    const closing = super.close();
    this.breaker.end();
    await Promise.race([closing, setTimeout(CLOSE_TIMEOUT, undefined, { ref: false })]);
  }
}

/**
 * Opens a connection pool. The models are registered in repository mode, so that a process can have several
 * pools. The pool connects at the first statement. By default any number of requests may wait for a
 * connection, each for 10 s at most.
 *
 * Whatever happens to the database, every statement either returns its result or fails, in bounded time,
 * with an error that {@link isUnavailable} recognises.
 */
export function connect(
  {
    url,
    poolSize,
    queueLimit = Infinity,
    acquireTimeout = 10_000,
    namedStatements = true,
  }: PoolOptions,
  { slow, meter }: Observers = {},
): GuardedSequelize {
  let Client = namedStatements ? TimeoutClient : UnnamedClient;
  if (meter) Client = observedClient(Client, statementMeter(meter));
  if (slow) Client = observedClient(Client, slowStatements(slow));
  const sequelize = new GuardedSequelize(url, queueLimit, {
    dialect: "postgres",
    dialectModule: { ...pg, Client },
    ...undeclared,
    models: [...models],
    repositoryMode: true,
    logging: false,
    define: { underscored: true },
    pool: { max: poolSize, min: 0, acquire: acquireTimeout, idle: 30_000 },
    dialectOptions: {
      application_name: "tea-shop",
      connectionTimeoutMillis: acquireTimeout,
      clientMinMessages: "ignore",
    },
    // Sequelize must not repeat a statement that failed: only a whole transaction can be repeated.
    retry: { max: 1 },
  });
  beginWith(sequelize, writeContextJson);
  requireTransactions(sequelize);
  meter?.watchPool(() => sequelize.breaker.numbers);
  return sequelize;
}

/** Refuses changes by models outside a transaction, which would lack the write context of the audit log. */
function requireTransactions(sequelize: Sequelize): void {
  const check = ({ transaction }: { transaction?: unknown }): void => {
    if (!transaction) throw new Error("A change needs a transaction");
  };
  sequelize.addHook("beforeCreate", (_row, options) => check(options));
  sequelize.addHook("beforeUpdate", (_row, options) => check(options));
  sequelize.addHook("beforeBulkUpdate", check);
  sequelize.addHook("beforeDestroy", (_row, options) => check(options));
  sequelize.addHook("beforeBulkDestroy", check);
}

/**
 * - `closed`: a request gets a connection, or waits for one if the queue has room.
 * - `open`: the last request that asked for a connection got none. The next request will try alone.
 * - `half-open`: that request is trying. All others are refused.
 * - `ended`: the pool is closing. All requests are refused, including those that are waiting.
 */
type State = "closed" | "open" | "half-open" | "ended";

/**
 * The circuit breaker before a pool. It refuses a request at once, as UNAVAILABLE, if waiting would not help: if
 * too many requests wait already, because a longer queue only delays all of them, or if the database is down,
 * because a server that hung would have to work off all abandoned attempts when it resumes.
 */
export class CircuitBreaker {
  private state: State = "closed";
  private refusals = 0;
  private readonly manager: ReturnType<typeof managerOf>;
  private readonly acquire: ReturnType<typeof managerOf>["getConnection"];

  /** @param queueLimit the number of requests that may wait */
  constructor(
    sequelize: Sequelize,
    private readonly queueLimit: number,
  ) {
    this.manager = managerOf(sequelize);
    this.acquire = this.manager.getConnection.bind(this.manager);
    this.install();
  }

  /** How the pool is used, and how many requests were refused a connection. */
  get numbers(): PoolNumbers {
    const { waiting, using, maxSize } = this.manager.pool;
    return { size: maxSize, inUse: using, waiting, refused: this.refusals };
  }

  /**
   * Refuses a request, and counts the refusal, if the queue is full.
   *
   * @throws DomainError UNAVAILABLE
   */
  refuseIfFull(): void {
    const { waiting, using, maxSize } = this.manager.pool;
    if (waiting + using < maxSize + this.queueLimit) return;
    this.refusals += 1;
    throw unavailable("connections");
  }

  /** Refuses all requests from now on. */
  end(): void {
    this.state = "ended";
    this.install(); // Sequelize's close() replaces getConnection
  }

  private install(): void {
    this.manager.getConnection = (options) => this.pass(options);
  }

  private async pass(options?: ConnectionOptions): Promise<PooledConnection> {
    if (this.state === "ended") throw unavailable("closing");
    if (this.state === "half-open") {
      this.refusals += 1;
      throw unavailable("database");
    }
    if (!options?.urgent) this.refuseIfFull();
    const tries = this.state === "open";
    if (tries) this.become("half-open");
    try {
      const connection = await this.acquire(options);
      this.become("closed");
      return connection;
    } catch (error) {
      this.refusals += 1;
      // While another request tries to connect, only its outcome counts.
      if (tries || this.state === "closed") this.become("open");
      throw this.hasEnded ? unavailable("closing") : error;
    }
  }

  private become(state: State): void {
    if (!this.hasEnded) this.state = state;
  }

  private get hasEnded(): boolean {
    return this.state === "ended";
  }
}
