/** The superuser of every embedded cluster. */
export const SUPERUSER = "postgres";

/** Where a server is that may be one's own. */
export interface ServerAddress {
  /** The cluster's real path. */
  readonly folder: string;
  readonly password: string;
}

/** A connection string for a database of an embedded server. */
export const connectionString = (port: number, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
