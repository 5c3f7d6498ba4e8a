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
import { passingObstacles, ServerUse, type EmbeddedPostgres } from "./server-use";
import { Tenancy } from "./tenancy";

/** How an embedded server is started. */
export interface EmbeddedPostgresOptions {
  /** Absolute path of a folder that exists; the cluster and its log are kept in it. */
  readonly dataDir: string;
  /** Of the superuser: a cluster keeps the one that it was created with. */
  readonly password: string;
  /** A database that is created where it is missing; `postgres` by default, which always exists. */
  readonly database?: string;
  /**
   * A folder for what the user that PostgreSQL runs as in place of root can't reach elsewhere; created
   * where it is needed. `/var/lib/embedded-postgres` by default.
   */
  readonly sharedFolder?: string;
  /** false trades safety against crashes of the machine for speed, for tests. */
  readonly durable?: boolean;
  /** Is told what a user should know, a line each. */
  readonly log?: (line: string) => void;
  /** Is called once when the server is gone, or taken over, while it is used. */
  readonly onLost?: (fault: Error) => void;
}

/**
 * Starts PostgreSQL on a data folder, or uses the server that runs on it, such as the orphan of a
 * process that was killed. Listens on 127.0.0.1 only.
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
  const { timeout, interval } = passingObstacles;
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
      (blocker ? `: process ${blocker.pid} holds it and does not answer` : "") +
      `; its log is ${options.logFile}`,
  );
}
