import type { Client } from "pg";

/** Where a feature is tried. */
export interface Trial {
  readonly databaseUrl: string;
  /** The name of an empty schema, which is dropped after all trials. */
  readonly schema: string;
  readonly one: Client;
  readonly other: Client;
}

/** Something that the service needs of PostgreSQL. An engine that speaks its protocol may lack it. */
export interface Feature {
  readonly name: string;
  /** What of the service needs it. */
  readonly neededFor: string;
  /**
   * Statements of one transaction in the empty schema, which is rolled back; the last one selects as `works` whether
   * all had the right effect. Or a function that resolves with that, and leaves no transaction open if it succeeds.
   */
  readonly trial: readonly string[] | ((trial: Trial) => Promise<boolean>);
}

/** Begins a transaction in the schema of a trial. A `SET` of the session would be lost behind a pooler. */
export const beginIn = (schema: string, mode = "READ COMMITTED"): string =>
  `BEGIN ISOLATION LEVEL ${mode}; SET LOCAL search_path = ${schema}, public; SET LOCAL statement_timeout = '10s'`;

/** A table, and two rows of it. */
export const ROWS = "CREATE TABLE counted_rows (id integer PRIMARY KEY, n integer NOT NULL)";
export const TWO_ROWS = "INSERT INTO counted_rows VALUES (1, 1), (2, 2)";

/** Whether a statement selects true as `works`. */
export const worksOf = async (client: Client, statement: string): Promise<boolean> => {
  const { rows } = await client.query<{ works: boolean }>(statement);
  return rows[0]?.works === true;
};

/** Creates a table of two rows that both sessions see. */
export async function sharedRows({ one, schema }: Trial, name: string): Promise<string> {
  await one.query(`CREATE TABLE ${schema}.${name} (id integer PRIMARY KEY, n integer NOT NULL)`);
  await one.query(`INSERT INTO ${schema}.${name} VALUES (1, 1), (2, 2)`);
  return `${schema}.${name}`;
}
