import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Sequelize, type SequelizeOptions } from "sequelize-typescript";
import type { DatabaseSettings } from "../../config/settings";
import type { Meter } from "../../vocabulary/meter";
import { models } from "../../models";
import { writeContextJson } from "../../vocabulary/current-work";
import { hostsOf, wantsPrimary } from "../../vocabulary/text/connection-string";
import { CircuitBreaker } from "./circuit-breaker";
import { observedClient, TimeoutClient, UnnamedClient } from "./clients";
import { beginWith } from "./internals";
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
