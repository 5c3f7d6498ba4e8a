import { execFile } from "node:child_process";
import { appendFile, chown, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { isAlive, signal, until } from "./processes.mjs";
import { Server } from "./server.mjs";
import { freePort } from "./service.mjs";

const run = promisify(execFile);

const LIMIT = 60_000;

/** A server that began as a copy of another one, which it follows by streaming. */
export class Replica extends Server {
  /**
   * Copies a server while it runs, and starts the copy. It is removed at the cleanup.
   *
   * @param {Server} primary
   * @param {import("./cleanup.mjs").Cleanup} cleanup
   */
  static async of(primary, cleanup) {
    const port = String(await freePort());
    const folder = `${primary.folder}-${port}`;
    const values = { "-D": folder, "-p": port };
    const command = primary.command.map((each, at, all) => values[all[at - 1]] ?? each);
    const address = Object.assign(new URL(primary.url("postgres")), { port }).href;
    const replica = new Replica({ folder, user: primary.user, command, pid: 0 }, address);
    cleanup.add(() => replica.remove());
    await replica.follow(primary);
    return replica;
  }

  /** Makes a server that has ended a copy of another one, and starts it. */
  async follow(primary) {
    await rm(this.folder, { recursive: true, force: true });
    await this.#copy(primary);
    await this.#write("standby.signal", "");
    const { hostname, port, username, password } = new URL(primary.url("postgres"));
    const from = `host=${hostname} port=${port} user=${username} password=${password} application_name=replica`;
    await this.configure(`primary_conninfo = '${from}'`);
    await this.configure("synchronous_standby_names = ''");
    await this.startAgain();
  }

  /** Lets it replay nothing more, or go on. */
  pause() {
    return this.tell("SELECT pg_wal_replay_pause()");
  }

  resume() {
    return this.tell("SELECT pg_wal_replay_resume()");
  }

  /** Makes it a server of its own. Resolves when it takes changes. */
  promote() {
    return this.tell("SELECT pg_promote()");
  }

  /** Resolves when it has replayed all that its primary has. */
  async inStepWith(primary) {
    const [{ place }] = await primary.tell("SELECT pg_current_wal_lsn() AS place");
    const isInStep = async () => {
      const [row] = await this.tell("SELECT pg_last_wal_replay_lsn() >= $1 AS reached", [place]);
      return row.reached;
    };
    await until(isInStep, LIMIT, "The replay of the log");
  }

  /** Ends it in order, without waiting for its sessions. */
  async stop() {
    signal(this.pid, "SIGINT");
    await until(() => !isAlive(this.pid), LIMIT, "The end of a replica");
  }

  async remove() {
    if (this.pid !== 0 && isAlive(this.pid)) {
      await this.thaw();
      await this.stop();
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Copies the files of a server that runs, in PostgreSQL's mode for backups. */
  async #copy(primary) {
    const client = new pg.Client({ connectionString: primary.url("postgres") });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('replica', true)");
      // It fails for files that end meanwhile. The log, of which nothing ends so soon, has what was in them.
      await run("cp", ["-a", primary.folder, this.folder]).catch(() => undefined);
      const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
      await this.#write("backup_label", rows[0].labelfile);
    } finally {
      await client.end();
    }
    await rm(path.join(this.folder, "postmaster.pid"), { force: true });
  }

  /** Adds a line to the settings with which it starts; of two, the last one counts. */
  configure(line) {
    return appendFile(path.join(this.folder, "postgresql.auto.conf"), `${line}\n`);
  }

  async #write(name, text) {
    const file = path.join(this.folder, name);
    await writeFile(file, text);
    const { uid, gid } = this.user;
    if (uid !== undefined) await chown(file, uid, gid);
  }
}
