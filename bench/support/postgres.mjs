import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { Migrator, seedDemo, startEmbeddedPostgres } from "./built.mjs";
import { childrenOf, isAlive, signal, until } from "./processes.mjs";

const READY_TIMEOUT = 60_000;

/** A PostgreSQL server of the harness's own, durable as in production, in a temporary folder. */
export class Postgres {
  #embedded;
  #folder;
  #command;
  #user;
  #pid;
  #databases = 0;

  /**
   * Starts a server, which is removed at the cleanup unless it was given a folder of its own.
   * `settings` are the server's, by name.
   *
   * @param {import("./cleanup.mjs").Cleanup} cleanup
   * @param {{ folder?: string, settings?: Record<string, string> }} [options]
   */
  static async start(cleanup, { folder, settings = {} } = {}) {
    const server = new Postgres();
    const dataDir = folder ?? (await mkdtemp(path.join(tmpdir(), "tea-shop-bench-")));
    await mkdir(dataDir, { recursive: true });
    const start = () => startEmbeddedPostgres({ dataDir, password: "secret" });
    server.#embedded = await start();
    cleanup.add(async () => {
      await server.thaw();
      await (folder === undefined ? server.#embedded.remove() : server.#embedded.stop());
    });
    if (await server.#configure(settings)) {
      await server.#embedded.stop();
      server.#embedded = await start();
    }
    server.#folder = path.join(dataDir, "postgres");
    server.#pid = await server.#postmaster();
    const [command, ...args] = (await readFile(`/proc/${server.#pid}/cmdline`, "utf8")).split("\0");
    server.#command = [command, args.slice(0, -1)];
    const { uid, gid } = await stat(server.#folder);
    server.#user = process.getuid() === 0 ? { uid, gid } : {};
    return server;
  }

  /** A migrated database of its own with the demonstration's catalogue and orders. */
  async createDatabase() {
    const name = `torture_${(this.#databases += 1)}`;
    await this.sql(this.url("postgres"), `CREATE DATABASE ${name} TEMPLATE template0`);
    const databaseUrl = this.url(name);
    await new Migrator({ databaseUrl }).up();
    await seedDemo(databaseUrl);
    return databaseUrl;
  }

  /** The process id of the postmaster, the parent of the server's other processes. */
  get pid() {
    return this.#pid;
  }

  /** The system's user that the server runs as, as options of `spawn`; empty if it is this process's user. */
  get user() {
    return this.#user;
  }

  url(database) {
    return this.#embedded.url(database);
  }

  /**
   * Runs one statement on a connection of its own and returns its rows.
   *
   * @returns {Promise<any[]>}
   */
  async sql(url, text, values = []) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query("SET statement_timeout = 0");
      return (await client.query(text, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Stops all of the server's processes where they stand. */
  async freeze() {
    // The postmaster first: it can then start no more.
    signal(this.#pid, "SIGSTOP");
    for (const pid of await childrenOf(this.#pid)) signal(pid, "SIGSTOP");
  }

  async thaw() {
    for (const pid of await childrenOf(this.#pid)) signal(pid, "SIGCONT");
    signal(this.#pid, "SIGCONT");
  }

  /** Ends the server without a checkpoint, as a crash does, and starts it again on the same port. */
  async restartImmediately() {
    const pid = this.#pid;
    signal(pid, "SIGQUIT");
    await until(() => !isAlive(pid), READY_TIMEOUT, "The end of PostgreSQL");
    const [command, args] = this.#command;
    const server = spawn(command, args, {
      cwd: "/",
      detached: true,
      env: { LC_ALL: "C", TZ: "UTC" },
      stdio: "ignore",
      ...this.#user,
    });
    this.#pid = server.pid;
    await this.accepting();
  }

  /** Resolves when a new connection gets an answer. */
  async accepting() {
    const answers = () => this.sql(this.url("postgres"), "SELECT 1").catch(() => undefined);
    await until(answers, READY_TIMEOUT, "PostgreSQL's readiness");
  }

  /** The service's sessions on a database, with the seconds since their transaction began and their state changed. */
  sessions(databaseUrl) {
    const name = new URL(databaseUrl).pathname.slice(1);
    return this.sql(
      this.url("postgres"),
      `SELECT pid, state, extract(epoch FROM now() - xact_start)::float AS seconds,
              extract(epoch FROM now() - state_change)::float AS unchanged
       FROM pg_stat_activity WHERE datname = $1 AND application_name = 'tea-shop'`,
      [name],
    );
  }

  /** Kills one process of the server, which then ends all sessions and recovers. */
  killBackend(pid) {
    return childrenOf(this.#pid).then((pids) => {
      if (pids.includes(pid)) signal(pid, "SIGKILL");
    });
  }

  /** Stores settings that differ from the server's. True if the server must be restarted for them. */
  async #configure(settings) {
    const url = this.url("postgres");
    let differ = false;
    for (const [name, value] of Object.entries(settings)) {
      const [{ current }] = await this.sql(url, "SELECT current_setting($1, true) AS current", [
        name,
      ]);
      if (current === value) continue;
      await this.sql(url, `ALTER SYSTEM SET ${name} = '${value}'`);
      differ = true;
    }
    return differ;
  }

  async #postmaster() {
    return parseInt(await readFile(path.join(this.#folder, "postmaster.pid"), "utf8"), 10);
  }
}
