import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { signal, until } from "./processes.mjs";
import { freePort } from "./service.mjs";

const READY_TIMEOUT = 10_000;

/** The program, its version and the minor version; undefined if it is not installed. */
export async function findPgBouncer() {
  // Debian's package puts it where not everyone's PATH leads.
  for (const program of ["pgbouncer", "/usr/sbin/pgbouncer"]) {
    const run = promisify(execFile)(program, ["--version"]);
    const [version] = await run.then(({ stdout }) => stdout.split("\n")).catch(() => []);
    if (version) return { program, version, minor: Number(version.split(".")[1]) };
  }
  return undefined;
}

/**
 * Starts PgBouncer in transaction mode in front of a server. Returns the database's address through PgBouncer,
 * which can track `preparedStatements` named statements since its version 1.21.
 */
export async function startPgBouncer(
  { program, minor },
  { postgres, databaseUrl, poolSize, preparedStatements },
  cleanup,
) {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-pgbouncer-"));
  const port = await freePort();
  const server = new URL(databaseUrl);
  const target = `host='${server.hostname}' port='${server.port}' user='${server.username}' password='${server.password}'`;
  const file = path.join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]
* = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
${minor >= 21 ? `max_prepared_statements = ${preparedStatements}` : ""}
`,
  );
  // PgBouncer refuses to run as root, and the user that it runs as must be able to read the file.
  const { user } = postgres;
  if (user.uid !== undefined) {
    for (const each of [folder, file]) await chown(each, user.uid, user.gid);
  }
  const options = { cwd: "/", stdio: ["ignore", "ignore", "pipe"], ...user };
  const child = spawn(program, [file], options);
  const ended = once(child, "exit");
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (log = (log + text).slice(-20_000)));
  cleanup.add(async () => {
    signal(child.pid, "SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${log}`);
    return log.includes("process up");
  };
  await until(isUp, READY_TIMEOUT, "PgBouncer's start");
  return Object.assign(server, { hostname: "127.0.0.1", port: String(port) }).href;
}
