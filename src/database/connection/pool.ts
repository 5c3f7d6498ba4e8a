import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Sequelize, type SequelizeOptions } from "sequelize-typescript";
import type { DatabaseSettings } from "../../config/settings";
import type { Meter } from "../../vocabulary/meter";
import { models } from "../../models";
import { hostsOf, wantsPrimary } from "../../vocabulary/text/connection-string";
import { ConnectionGate } from "./connection-gate";
import { usePrimary } from "./primary-pool";
import { TimeoutClient } from "./timeout-client";
import { nameIsolation } from "./isolation";
import { observedClient } from "./observed-client";
import { slowStatements, type SlowStatements } from "../statements/slow-statements";
import { statementMeter } from "../statements/statement-meter";
import { UnnamedClient } from "./unnamed-client";

/** Milliseconds for all connections to close. */
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

/** A pool that closes in bounded time and hands out connections only through its gate. */
class GatedSequelize extends Sequelize {
  readonly gate: ConnectionGate;

  constructor(url: string, queueLimit: number, options: SequelizeOptions) {
    const urls = hostsOf(url);
    super(urls[0] ?? url, options);
    if (wantsPrimary(url)) usePrimary(this, urls);
    this.gate = new ConnectionGate(this, queueLimit);
  }

  /** Resolves after {@link CLOSE_TIMEOUT} at the latest, because a server that hangs never answers. */
  override async close(): Promise<void> {
    const closing = super.close();
    this.gate.close();
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
): GatedSequelize {
  let Client = namedStatements ? TimeoutClient : UnnamedClient;
  if (meter) Client = observedClient(Client, statementMeter(meter));
  if (slow) Client = observedClient(Client, slowStatements(slow));
  const sequelize = new GatedSequelize(url, queueLimit, {
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
  nameIsolation(sequelize);
  meter?.watchPool(() => sequelize.gate.numbers);
  return sequelize;
}
