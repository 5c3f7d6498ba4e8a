import { spawn } from "node:child_process";
import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { childrenOf, isAlive, signal, until } from "./processes.mjs";

const READY_TIMEOUT = 60_000;

/**
 * What a server is made of: its cluster's folder; the system's user that it runs as, as options of `spawn`, empty for
 * that of this process; its program and arguments; and its postmaster's process id.
 *
 * @typedef {{
 *   folder: string,
 *   user: { uid?: number, gid?: number },
 *   command: string[],
 *   pid: number,
 * }} Parts
 */

/** A server of PostgreSQL, and what can befall its processes. */
export class Server {
  #address;

  /**
   * @param {Parts} parts
   * @param {string} address the connection string of one of its databases
   */
  constructor({ folder, user, command, pid }, address) {
    this.folder = folder;
    this.user = user;
    this.command = command;
    /** The process id of the postmaster, the parent of the server's other processes. */
    this.pid = pid;
    this.#address = address;
  }

  url(database) {
    return Object.assign(new URL(this.#address), { pathname: `/${database}` }).href;
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

  /** Runs a statement that concerns no database in particular, as {@link sql} does. */
  tell(text, values = []) {
    return this.sql(this.url("postgres"), text, values);
  }

  /** Stops all of the server's processes where they stand. */
  async freeze() {
    // The postmaster first: it can then start no more.
    signal(this.pid, "SIGSTOP");
    for (const pid of await childrenOf(this.pid)) signal(pid, "SIGSTOP");
  }

  async thaw() {
    for (const pid of await childrenOf(this.pid)) signal(pid, "SIGCONT");
    signal(this.pid, "SIGCONT");
  }

  /** Ends the server without a checkpoint, as a crash does, and starts it again on the same port. */
  async restartImmediately() {
    const { pid } = this;
    signal(pid, "SIGQUIT");
    await until(() => !isAlive(pid), READY_TIMEOUT, "The end of PostgreSQL");
    await this.startAgain();
  }

  /** Ends all processes of the server at once, as the loss of its machine does. */
  async kill() {
    const all = [this.pid, ...(await childrenOf(this.pid))];
    for (const pid of all) signal(pid, "SIGKILL");
    await until(() => !all.some(isAlive), READY_TIMEOUT, "The end of PostgreSQL");
  }

  /** Starts a server that has ended. Resolves when it accepts connections. */
  async startAgain() {
    const [program, ...args] = this.command;
    const server = spawn(program, args, {
      cwd: "/",
      detached: true,
      env: { LC_ALL: "C", TZ: "UTC" },
      stdio: "ignore",
      ...this.user,
    });
    this.pid = server.pid;
    await this.accepting();
  }

  /** Resolves when a new connection gets an answer. */
  async accepting() {
    const answers = () => this.tell("SELECT 1").catch(() => undefined);
    await until(answers, READY_TIMEOUT, "PostgreSQL's readiness");
  }

  /** The service's sessions on a database, with the seconds since their transaction began and their state changed. */
  sessions(databaseUrl) {
    const name = new URL(databaseUrl).pathname.slice(1);
    return this.tell(
      `SELECT pid, state, extract(epoch FROM now() - xact_start)::float AS seconds,
              extract(epoch FROM now() - state_change)::float AS unchanged
       FROM pg_stat_activity WHERE datname = $1 AND application_name = 'tea-shop'`,
      [name],
    );
  }

  /** Kills one process of the server, which then ends all sessions and recovers. */
  killBackend(pid) {
    return childrenOf(this.pid).then((pids) => {
      if (pids.includes(pid)) signal(pid, "SIGKILL");
    });
  }
}

/**
 * The parts of the server that runs in a cluster's folder.
 *
 * @returns {Promise<Parts>}
 */
export async function partsOf(folder) {
  const pid = parseInt(await readFile(path.join(folder, "postmaster.pid"), "utf8"), 10);
  const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").slice(0, -1);
  const { uid, gid } = await stat(folder);
  const user = process.getuid() === 0 ? { uid, gid } : {};
  return { folder: await realpath(folder), user, command, pid };
}
