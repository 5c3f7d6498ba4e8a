import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { call, connection } from "../support/http.mjs";

/** The server's setting that allows counting statements. Nothing is counted while anything is timed. */
export const COUNTING = { shared_preload_libraries: "pg_stat_statements" };

const EXTENSION = "CREATE EXTENSION IF NOT EXISTS pg_stat_statements";

/** Each client sends this many requests. */
const REQUESTS = 10;

const COUNT = `
  SELECT coalesce(sum(calls), 0)::int AS count FROM pg_stat_statements AS s
  JOIN pg_database AS d ON d.oid = s.dbid WHERE d.datname = ANY ($1)`;

/** Counts the statements that the benchmark's own server runs, including `BEGIN` and `COMMIT`. */
export class StatementCounter {
  #run;
  #databases;

  constructor(postgres, databaseUrls) {
    this.#run = (text, values) => postgres.sql(postgres.url("postgres"), text, values);
    this.#databases = databaseUrls.map((url) => new URL(url).pathname.slice(1));
  }

  /** Counts nothing until {@link perRequest}. */
  async prepare() {
    await this.#run(EXTENSION);
    await this.#track("none");
  }

  /** The number of statements per request, when `connections` clients at a time send a contender's requests. */
  async perRequest({ contender, requests, freshKeys, connections }) {
    const send = () => sendAll({ contender, requests, freshKeys, connections });
    await send(); // opens all connections to the database, which costs statements too
    await this.#track("top");
    await this.#run("SELECT pg_stat_statements_reset()");
    await send();
    await this.#track("none");
    const [{ count }] = await this.#run(COUNT, [this.#databases]);
    return count / (connections * REQUESTS);
  }

  async #track(which) {
    await this.#run(`ALTER SYSTEM SET pg_stat_statements.track = '${which}'`);
    await this.#run("SELECT pg_reload_conf()");
    await setTimeout(200); // a session reads the setting before its next statement
  }
}

async function sendAll({ contender, requests, freshKeys, connections }) {
  const client = async (_, first) => {
    const agent = connection();
    for (let count = 0; count < REQUESTS; count += 1) {
      const { body, headers, ...request } = requests[(first * REQUESTS + count) % requests.length];
      const key = freshKeys && { "idempotency-key": randomUUID() };
      const json = body && JSON.parse(body);
      await call(contender.url, { ...request, headers: { ...headers, ...key }, json, agent });
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
}
