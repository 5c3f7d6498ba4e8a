import type { Client } from "pg";

/** Where features are tried. */
export interface Place {
  readonly schema: string;
  /** The beginning of all names, by which what was left behind is known; no other check has it. */
  readonly prefix: string;
  /** Tables that were created outside a transaction that is rolled back. */
  readonly tables: string[];
}

/** One try of a feature. */
export interface Trial {
  readonly databaseUrl: string;
  readonly place: Place;
  readonly one: Client;
  readonly other: Client;
}

/** Something that the service needs of PostgreSQL. An engine that speaks its protocol may lack it. */
export interface Feature {
  readonly name: string;
  /** What of the service needs it. */
  readonly neededFor: string;
  /** Whether only commands use it, whose connection may lead past a pooler. */
  readonly byCommands?: true;
  /** Whether reads from a replica use it, and the trial changes nothing. */
  readonly onReplicas?: true;
  /** How the service is told to do without. */
  readonly without?: string;
  /**
   * Statements of one transaction, which is rolled back; the last one selects as `works` whether all had the right
   * effect. All they create has names that begin with `trial_`. Or a function that resolves with whether all worked,
   * and leaves no transaction open if it succeeds.
   */
  readonly trial: readonly string[] | ((trial: Trial) => Promise<boolean>);
}

/** Begins a transaction in the schema of a trial. A `SET` of the session would be lost behind a pooler. */
export const beginIn = ({ schema }: Place, mode = "READ COMMITTED"): string =>
  `BEGIN ISOLATION LEVEL ${mode}; SET LOCAL statement_timeout = '10s';
   SELECT set_config('search_path', concat_ws(', ', '${schema}', nullif(current_setting('search_path'), '')), true)`;

/** A table, and two rows of it. */
export const ROWS = "CREATE TABLE trial_rows (id integer PRIMARY KEY, n integer NOT NULL)";
export const TWO_ROWS = "INSERT INTO trial_rows VALUES (1, 1), (2, 2)";

/** Whether a statement selects true as `works`. */
export const worksOf = async (client: Client, statement: string): Promise<boolean> => {
  const { rows } = await client.query<{ works: boolean }>(statement);
  return rows[0]?.works === true;
};

/** Creates a table of two rows that both sessions see. */
export async function sharedRows({ one, place }: Trial, name: string): Promise<string> {
  const table = `${place.schema}.${place.prefix}_${name}`;
  place.tables.push(table);
  await one.query(`CREATE TABLE ${table} (id integer PRIMARY KEY, n integer NOT NULL)`);
  await one.query(`INSERT INTO ${table} VALUES (1, 1), (2, 2)`);
  return table;
}
