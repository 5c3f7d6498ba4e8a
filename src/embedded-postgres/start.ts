import { realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { findBinaries } from "./binaries";
import { ensureCluster } from "./data-cluster";
import { EmbeddedPostgresError } from "./error";
import { launch, type LaunchOptions } from "./launch";
import { place, type Placement } from "./placement";
import { livePostmaster, readPostmaster } from "./postmaster";
import type { ServerAddress } from "./server-address";
import { retries, ServerUse, type EmbeddedPostgres } from "./server-use";
import { Tenancy } from "./tenancy";

export interface EmbeddedPostgresOptions {
  /** Absolute path of an existing folder, for the cluster and its log. */
  readonly dataDir: string;
  /** The superuser's password. A cluster keeps the one that it was created with. */
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
  readonly onLost?: (fault: Error) => void;
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
