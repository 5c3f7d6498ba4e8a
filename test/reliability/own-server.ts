import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Migrator } from "../../src/database/migrations/migrator";
import { startEmbeddedPostgres } from "../../src/embedded-postgres";
import { readPostmaster } from "../../src/embedded-postgres/postmaster";
import { commandLine, isAlive } from "../../src/embedded-postgres/system";
import { query } from "../support/database";
import { eventually } from "../support/eventually";

/** A PostgreSQL server of a test's own, which may be treated badly. */
export interface OwnServer {
  /** A migrated database on it. */
  readonly url: string;
  /** Stops all its processes where they stand. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Ends it as a crash does. */
  crash(): Promise<void>;
  /** Starts it again after a crash, on the same port. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a server of one's own. */
export async function startOwnServer(): Promise<OwnServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tea-shop-reliability-"));
  // Durable: a crash may lose nothing that was acknowledged.
  const embedded = await startEmbeddedPostgres({
    dataDir,
    password: "of-the-own-server",
    database: "tea_shop",
  });
  const cluster = path.join(dataDir, "postgres");
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) throw new Error("The server has no lock file");
  let { pid } = postmaster;
  const [program = ""] = (await commandLine(pid)) ?? [];
  // Not those of the command line, of which macOS shows too little (processes.ts).
  const { port } = postmaster;
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const args = ["-D", cluster, ...settings.flatMap((each) => ["-c", each])];
  const { uid, gid } = await stat(cluster);
  const url = embedded.url();
  await new Migrator({ databaseUrl: url }).up();
  const signalAll = async (name: NodeJS.Signals): Promise<void> => {
    for (const each of [pid, ...(await childrenOf(pid))]) process.kill(each, name);
  };
  const server = {
    url,
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    crash: async () => {
      process.kill(pid, "SIGQUIT");
      await eventually(() => !isAlive(pid));
    },
    restart: async () => {
      const child = spawn(program, args, {
        cwd: "/",
        detached: true,
        env: { LC_ALL: "C", TZ: "UTC" },
        stdio: "ignore",
        ...(process.getuid?.() === 0 && { uid, gid }),
      });
      await once(child, "spawn");
      pid = child.pid!;
      child.unref();
      await eventually(() =>
        query(url, "SELECT 1").then(
          () => true,
          () => false,
        ),
      );
    },
    remove: async () => {
      if (isAlive(pid)) await server.thaw();
      await embedded.remove();
    },
  };
  return server;
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid="]);
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
}
