import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Sequelize, type SequelizeOptions } from "sequelize-typescript";
import type { DatabaseSettings } from "../config/settings";
import { models } from "../models";
import { ConnectionGate } from "./connection-gate";
import { GuardedClient } from "./guarded-client";
import { nameIsolation } from "./isolation";
import { UnnamedClient } from "./unnamed-client";

/** Milliseconds for all connections to close. */
const GOODBYE_TIMEOUT = 1_000;

/** How one process connects. */
type PoolOptions = Pick<DatabaseSettings, "url" | "poolSize"> & Partial<DatabaseSettings>;

/** Options that Sequelize's declarations leave out. */
const undeclared: object = {
  // Known to be at least this; asking would cost a connection at the start.
  databaseVersion: "15.0.0",
  // A SET of its own would not hold behind a pooler; the client sends the zone as the session starts.
  keepDefaultTimezone: true,
};

/** A pool that closes in bounded time, and the gate that asks for its connections pass. */
class GatedSequelize extends Sequelize {
  readonly gate: ConnectionGate;

  constructor(url: string, queueLimit: number, options: SequelizeOptions) {
    super(url, options);
    this.gate = new ConnectionGate(this, queueLimit);
  }

  /** Resolves after {@link GOODBYE_TIMEOUT} at the latest, as a hung server answers no goodbye. */
  override async close(): Promise<void> {
    const closing = super.close();
    this.gate.close();
    await Promise.race([closing, setTimeout(GOODBYE_TIMEOUT, undefined, { ref: false })]);
  }
}

/**
 * Opens a pool on the database, with every model registered in repository mode, so that several
 * connections can live in one process. Nothing is connected until the first statement. Where it is not
 * told otherwise, any number of requests waits for a connection, each for 10 s at most.
 *
 * Whatever happens to the database, every statement is answered: with its result or, in bounded time,
 * with an error that {@link isUnavailable} knows.
 */
export function connect({
  url,
  poolSize,
  queueLimit = Infinity,
  acquireTimeout = 10_000,
  namedStatements = true,
}: PoolOptions): GatedSequelize {
  const sequelize = new GatedSequelize(url, queueLimit, {
    dialect: "postgres",
    dialectModule: { ...pg, Client: namedStatements ? GuardedClient : UnnamedClient },
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
    // Sequelize would otherwise repeat a statement that failed; retries belong to transactions.
    retry: { max: 1 },
  });
  nameIsolation(sequelize);
  return sequelize;
}
