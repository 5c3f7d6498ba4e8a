import { Sequelize } from "sequelize-typescript";
import { models } from "../models";

/** How one process connects. */
export interface ConnectionOptions {
  readonly databaseUrl: string;
  /** Most connections that are open at one time. */
  readonly poolSize: number;
}

/** Longest wait for a free connection of the pool, in milliseconds. */
const ACQUIRE_TIMEOUT = 2_000;

/**
 * Opens a pool on the database, with every model registered in repository mode, so that several
 * connections can live in one process. Nothing is connected until the first statement.
 */
export function connect({ databaseUrl, poolSize }: ConnectionOptions): Sequelize {
  return new Sequelize(databaseUrl, {
    dialect: "postgres",
    models: [...models],
    repositoryMode: true,
    logging: false,
    define: { underscored: true },
    pool: { max: poolSize, min: 0, acquire: ACQUIRE_TIMEOUT, idle: 30_000 },
    dialectOptions: { connectionTimeoutMillis: ACQUIRE_TIMEOUT, application_name: "tea-shop" },
    // Sequelize would otherwise repeat a statement that failed; retries belong to transactions.
    retry: { max: 1 },
  });
}
