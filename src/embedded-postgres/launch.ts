import { spawn, type ChildProcess } from "node:child_process";
import { open, readFile, rename, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { program, programEnvironment } from "./binaries";
import { EmbeddedPostgresError } from "./error";
import { errorCode } from "./files";
import { freePort } from "./free-port";
import type { Placement } from "./placement";
import { readPostmaster } from "./postmaster";

export interface LaunchOptions {
  /** The cluster's real path. */
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
export async function launch(placement: Placement, options: LaunchOptions): Promise<boolean> {
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
  let spawnFault: Error | undefined;
  server.once("error", (error) => (spawnFault = error));
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const deadline = Date.now() + READY_TIMEOUT;
  while (!hasEnded()) {
    if (spawnFault) {
      throw new EmbeddedPostgresError(`PostgreSQL does not start: ${spawnFault.message}`);
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
