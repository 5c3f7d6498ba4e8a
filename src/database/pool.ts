import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Sequelize } from "sequelize-typescript";
import type { DatabaseSettings } from "../config/settings";
import { unavailable } from "../errors";
import { models } from "../models";
import { GuardedClient } from "./guarded-client";
import { nameIsolation } from "./isolation";
import { UnnamedClient } from "./unnamed-client";

/** Milliseconds for all connections to close. */
const GOODBYE_TIMEOUT = 1_000;

/** How one process connects. */
type PoolOptions = Pick<DatabaseSettings, "url" | "poolSize"> & Partial<DatabaseSettings>;

/** Pools that are closed, or closing. */
const closed = new WeakSet<Sequelize>();

/** Options that Sequelize's declarations leave out. */
const undeclared: object = {
  // Known to be at least this; asking would cost a connection at the start.
  databaseVersion: "15.0.0",
  // A SET of its own would not hold behind a pooler; the client sends the zone as the session starts.
  keepDefaultTimezone: true,
};

/** What is used of Sequelize's connection manager; its declarations leave it out. */
interface ConnectionManager {
  readonly pool: { readonly waiting: number; readonly using: number; readonly maxSize: number };
  getConnection(options?: unknown): Promise<unknown>;
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
}: PoolOptions): Sequelize {
  const sequelize = new Sequelize(url, {
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
  limitConnecting(sequelize, queueLimit);
  return sequelize;
}

/**
 * Closes the pool: whatever still asks for a connection is refused as UNAVAILABLE, as its client may be
 * served elsewhere or be gone. Resolves after {@link GOODBYE_TIMEOUT} at the latest, as a hung server
 * answers no goodbye.
 */
export async function disconnect(sequelize: Sequelize): Promise<void> {
  closed.add(sequelize);
  const closing = sequelize.close();
  managerOf(sequelize).getConnection = () => Promise.reject(unavailable());
  await Promise.race([closing, setTimeout(GOODBYE_TIMEOUT, undefined, { ref: false })]);
}

/** Whether so many requests wait for a connection that the next one is refused. */
export function isQueueFull(sequelize: Sequelize, queueLimit: number): boolean {
  const { waiting, using, maxSize } = managerOf(sequelize).pool;
  return waiting + using >= maxSize + queueLimit;
}

/**
 * Refuses at once where too many wait already, as queues without bounds only make all of them late; and
 * all but one at a time where the last found no connection: a database that hangs would find as many
 * dead connections when it goes on.
 */
function limitConnecting(sequelize: Sequelize, queueLimit: number): void {
  const manager = managerOf(sequelize);
  const getConnection = manager.getConnection.bind(manager);
  let isAway = false;
  let isTried = false;
  manager.getConnection = async (options) => {
    if (isQueueFull(sequelize, queueLimit) || (isAway && isTried)) throw unavailable();
    const tries = isAway;
    if (tries) isTried = true;
    try {
      const connection = await getConnection(options);
      isAway = false;
      return connection;
    } catch (error) {
      isAway = true;
      throw closed.has(sequelize) ? unavailable() : error;
    } finally {
      if (tries) isTried = false;
    }
  };
}

const managerOf = (sequelize: Sequelize): ConnectionManager =>
  sequelize.connectionManager as unknown as ConnectionManager;
