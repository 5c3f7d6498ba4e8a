import { setTimeout } from "node:timers/promises";

/** The server's setting that allows counting statements. Nothing is counted while anything is timed. */
export const COUNTING = { shared_preload_libraries: "pg_stat_statements" };

const SECONDS = 0.5;

const COUNT = `
  SELECT coalesce(sum(calls), 0)::int AS count FROM pg_stat_statements AS s
  JOIN pg_database AS d ON d.oid = s.dbid WHERE d.datname = ANY ($1)`;

/** Counts the statements that the benchmark's own server runs, including `BEGIN` and `COMMIT`. */
export class StatementCounter {
  #postgres;
  #databases;

  constructor(postgres, databaseUrls) {
    this.#postgres = postgres;
    this.#databases = databaseUrls.map((url) => new URL(url).pathname.slice(1));
  }

  /** Counts nothing until {@link perRequest}. */
  async prepare() {
    await this.#postgres.tell("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    await this.#track("none");
  }

  /** The number of statements per request; `load` sends requests for so many seconds, as a generator does. */
  async perRequest(load) {
    await this.#track("top");
    await this.#postgres.tell("SELECT pg_stat_statements_reset()");
    const { statuses } = await load(SECONDS);
    await this.#track("none");
    const [{ count }] = await this.#postgres.tell(COUNT, [this.#databases]);
    return count / Object.values(statuses).reduce((sum, each) => sum + each, 0);
  }

  async #track(which) {
    await this.#postgres.tell(`ALTER SYSTEM SET pg_stat_statements.track = '${which}'`);
    await this.#postgres.tell("SELECT pg_reload_conf()");
    await setTimeout(200); // a session reads the setting before its next statement
  }
}
