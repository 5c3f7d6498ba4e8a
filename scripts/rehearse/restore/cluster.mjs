import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { freePort } from "../../../bench/support/service.mjs";
import { environment, program } from "../support/program.mjs";

/** Where Debian's package postgresql-15 puts its programs; the embedded server comes without pg_dump. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";

export const isInstalled = () => existsSync(path.join(PROGRAMS, "pg_dump"));

/** A server of PostgreSQL 15 in a temporary folder, which ends at the cleanup. */
export class Cluster {
  #port;
  #user = {};

  static async start(folder, cleanup) {
    const cluster = new Cluster();
    cluster.#port = await freePort();
    const data = path.join(folder, "postgres");
    mkdirSync(data, { mode: 0o700 });
    if (process.getuid() === 0) cluster.#user = cluster.#giveAway(data);
    await cluster.run(
      "initdb",
      "-D",
      data,
      "--username=postgres",
      "--auth=trust",
      "--encoding=UTF8",
    );
    const options = `-p ${cluster.#port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
    const start = ["-D", data, "-l", path.join(data, "log"), "-w", "-o", options, "start"];
    await cluster.run("pg_ctl", ...start);
    cleanup.add(() => cluster.run("pg_ctl", "-D", data, "-m", "immediate", "stop"));
    return cluster;
  }

  /** The beginning of a command that runs one of PostgreSQL's programs as a superuser of this server. */
  get at() {
    return `env PATH=${PROGRAMS}:/usr/bin:/bin LC_ALL=C PGHOST=127.0.0.1 PGPORT=${this.#port} PGUSER=postgres`;
  }

  url(database, role = "tea_shop") {
    return `postgres://${role}@127.0.0.1:${this.#port}/${database}`;
  }

  async sql(url, text) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs one of PostgreSQL's programs as the user of the server. */
  run(name, ...args) {
    const env = { ...environment(), LC_ALL: "C" };
    return program(path.join(PROGRAMS, name), args, { cwd: "/", env, ...this.#user });
  }

  /** PostgreSQL does not run as root, so the folder goes to the user whom Debian's package has created. */
  #giveAway(folder) {
    const number = (flag) => Number(execFileSync("id", [flag, "postgres"]));
    const user = { uid: number("-u"), gid: number("-g") };
    execFileSync("chown", [`${user.uid}:${user.gid}`, folder]);
    return user;
  }
}
