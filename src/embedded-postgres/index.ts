import { realpath, open, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { findBinaries, program, programEnvironment } from "./binaries";
import { ensureCluster } from "./data-cluster";
import { EmbeddedPostgresError, errorCode, freePort } from "./system";
import { place, type Placement } from "./placement";
import { livePostmaster, readPostmaster, type ServerAddress } from "./postmaster";
import { retries, ServerUse, type EmbeddedPostgres } from "./server-use";
import { Tenancy } from "./tenancy";
import { spawn, type ChildProcess } from "node:child_process";

export type { EmbeddedPostgres } from "./server-use";
export { EmbeddedPostgresError, type Remedy } from "./system";

export interface EmbeddedPostgresOptions {
  /** Absolute path of an existing folder, for the cluster and its log. */
  readonly dataDir: string;
  readonly password: string;
  /** A database, created if it is missing; by default `postgres`, which always exists. */
  readonly database?: string;
  /**
   * If this process runs as root: a folder for files that PostgreSQL's user can't reach elsewhere. Created when it
   * is needed; `/var/lib/embedded-postgres` by default.
   */
  readonly sharedFolder?: string;
  /** By default true; false is faster, but loses data when the machine crashes; for tests. */
  readonly durable?: boolean;
  /** Receives messages for the user, one line each. */
  readonly log?: (line: string) => void;
  /** Called once if the server ends, or another process becomes its owner, before {@link EmbeddedPostgres.stop}. */
  readonly onLost?: (error: Error) => void;
}

/**
 * Starts PostgreSQL on a data folder, or uses the server that already runs there, for example because the process
 * that started the server was killed. The server listens on 127.0.0.1 only.
 *
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDir, password, durable = true } = options;
  const { database = "postgres", sharedFolder = "/var/lib/embedded-postgres" } = options;
  const { log = () => undefined, onLost = () => undefined } = options;
  const binaries = await findBinaries();
  const placement = await place({ dataDir, sharedFolder, binaries, log });
  await ensureCluster(placement, { password, durable });
  const folder = await realpath(placement.cluster);
  const server = { folder, password };
  const logFile = path.join(dataDir, "postgres.log");
  const tenancy = await startOrJoin(placement, server, { folder, durable, logFile });
  const use = new ServerUse(tenancy, { server, dataDir, sharedFolder, database, onLost });
  try {
    await tenancy.ensureDatabase(database);
  } catch (error) {
    await use.stop();
    throw error;
  }
  return use;
}

async function startOrJoin(
  placement: Placement,
  server: ServerAddress,
  options: LaunchOptions,
): Promise<Tenancy> {
  const { timeout, interval } = retries;
  for (const deadline = Date.now() + timeout; Date.now() < deadline;) {
    const tenancy = await Tenancy.begin(server);
    if (tenancy) return tenancy;
    const isRunning = (await livePostmaster(server.folder)) !== undefined;
    if (!isRunning && (await launch(placement, options))) continue;
    await setTimeout(interval);
  }
  const blocker = await readPostmaster(server.folder);
  throw new EmbeddedPostgresError(
    `PostgreSQL does not start on ${server.folder}` +
      (blocker ? `: process ${blocker.pid} has locked it and does not answer` : "") +
      `; its log is ${options.logFile}`,
  );
}

interface LaunchOptions {
  readonly folder: string;
  readonly durable: boolean;
  readonly logFile: string;
}

/** Temporary failures: another start was faster, a killed server's processes are still ending, the port is taken. */
const TEMPORARY_FAILURE =
  /lock file ".*" already exists|shared memory block .* still in use|could not create any TCP\/IP sockets|could not bind/;

const LOG_LIMIT = 1_000_000;

/** In milliseconds. Recovery after a crash can take long. */
const READY_TIMEOUT = 120_000;

/**
 * Starts a server on a free port of the loopback interface and waits until it is ready. It runs in its own
 * process group, so that Ctrl-C does not reach it. Returns false if PostgreSQL refused to start for a
 * temporary reason.
 *
 * @throws EmbeddedPostgresError
 */
async function launch(placement: Placement, options: LaunchOptions): Promise<boolean> {
  const { logFile } = options;
  const port = await freePort();
  const { log, offset } = await openLog(logFile);
  try {
    const server = spawnServer(placement, options, port, log.fd);
    if (await becomesReady(server, options)) return true;
  } finally {
    await log.close();
  }
  const messages = (await readFile(logFile)).subarray(offset).toString("utf8");
  if (TEMPORARY_FAILURE.test(messages)) return false;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not start; its log ${logFile} says:\n${messages.trim()}`,
  );
}

function spawnServer(
  { binaries, user }: Placement,
  { folder, durable }: LaunchOptions,
  port: number,
  log: number,
): ChildProcess {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
  ];
  const server = spawn(
    program(binaries, "postgres"),
    ["-D", folder, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    {
      cwd: "/",
      detached: true,
      env: programEnvironment,
      stdio: ["ignore", log, log],
      ...user,
    },
  );
  server.unref();
  return server;
}

/** Waits until a server is ready. Returns false if the server ends before. */
async function becomesReady(
  server: ChildProcess,
  { folder, logFile }: LaunchOptions,
): Promise<boolean> {
  let spawnError: Error | undefined;
  server.once("error", (error) => (spawnError = error));
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const deadline = Date.now() + READY_TIMEOUT;
  while (!hasEnded()) {
    if (spawnError) {
      throw new EmbeddedPostgresError(`PostgreSQL does not start: ${spawnError.message}`);
    }
    const postmaster = await readPostmaster(folder);
    if (postmaster?.pid === server.pid && postmaster?.isReady) return true;
    if (Date.now() > deadline) {
      server.kill("SIGINT");
      throw new EmbeddedPostgresError(`PostgreSQL does not become ready; its log is ${logFile}`);
    }
    await setTimeout(10);
  }
  return false;
}

async function openLog(file: string) {
  const size = async () => (await stat(file).catch(() => undefined))?.size ?? 0;
  if ((await size()) > LOG_LIMIT) await rename(file, `${file}.old`);
  try {
    return { offset: await size(), log: await open(file, "a", 0o600) };
  } catch (error) {
    throw new EmbeddedPostgresError(`${file} can't be written (${errorCode(error) ?? ""})`, [
      "other-folder",
    ]);
  }
}
