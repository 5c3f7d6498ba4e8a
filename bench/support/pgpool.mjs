import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { signal, until } from "./processes.mjs";
import { freePort } from "./service.mjs";

const READY_TIMEOUT = 30_000;

/** The second is where Debian's package puts it, which is not on everyone's PATH. */
const PROGRAMS = ["pgpool", "/usr/sbin/pgpool"];

/** The program and its version; undefined if it is not installed. */
export async function findPgpool() {
  for (const program of PROGRAMS) {
    try {
      const { stdout, stderr } = await promisify(execFile)(program, ["--version"]);
      const [, version] = /version (\S+)/.exec(stdout + stderr) ?? [];
      return { program, version: `Pgpool-II ${version}` };
    } catch (fault) {
      if (fault.code !== "ENOENT") throw fault;
    }
  }
  return undefined;
}

/**
 * Starts Pgpool-II in front of a primary and its standbys, whose connection strings are `databaseUrls`, with these
 * settings. Returns the database's address through it.
 */
export async function startPgpool({ program }, { postgres, databaseUrls, settings }, cleanup) {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-pgpool-"));
  const port = String(await freePort());
  const [primary] = databaseUrls.map((each) => new URL(each));
  const password = decodeURIComponent(primary.password);
  const files = {
    "pgpool.conf": settingsFile({
      port,
      pcp_port: await freePort(),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: folder, // socket_dir until 4.2
      pcp_socket_dir: folder,
      work_dir: folder,
      logdir: folder,
      pid_file_name: path.join(folder, "pid"),
      backend_clustering_mode: "streaming_replication",
      sr_check_user: primary.username,
      sr_check_password: password,
      ...backends(databaseUrls),
      ...settings,
    }),
    pool_passwd: `${primary.username}:TEXT${password}\n`,
    "pcp.conf": "",
    "pool_hba.conf": "",
  };
  const at = (name) => path.join(folder, name);
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  const { user } = postgres;
  if (user.uid !== undefined) {
    for (const each of ["", ...Object.keys(files)]) await chown(at(each), user.uid, user.gid);
  }
  const child = spawn(
    program,
    ["-n", "-f", at("pgpool.conf"), "-F", at("pcp.conf"), "-a", at("pool_hba.conf")],
    { cwd: "/", stdio: ["ignore", "ignore", "pipe"], ...user },
  );
  const ended = once(child, "exit");
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (log = (log + text).slice(-20_000)));
  cleanup.add(async () => {
    signal(child.pid, "SIGINT"); // SIGKILL would leave its children
    await ended;
    await rm(folder, { recursive: true });
  });
  const url = Object.assign(primary, { hostname: "127.0.0.1", port }).href;
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`Pgpool-II ended:\n${log}`);
    return answers(url);
  };
  await until(isUp, READY_TIMEOUT, "Pgpool-II's start");
  return url;
}

const settingsFile = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join("");

/** The settings that name the servers. All weigh the same. */
const backends = (databaseUrls) =>
  Object.fromEntries(
    databaseUrls.flatMap((each, index) => {
      const { hostname, port } = new URL(each);
      return [
        [`backend_hostname${index}`, hostname],
        [`backend_port${index}`, port],
        [`backend_weight${index}`, 1],
        [`backend_flag${index}`, "DISALLOW_TO_FAILOVER"],
      ];
    }),
  );

async function answers(url) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
