/** The superuser of every embedded cluster. */
export const SUPERUSER = "postgres";

export interface ServerAddress {
  /** The cluster's real path. */
  readonly folder: string;
  readonly password: string;
}

export const connectionString = (port: number, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
