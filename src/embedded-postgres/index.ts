import { realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { findBinaries } from "./binaries";
import { ensureCluster } from "./data-cluster";
import { launch, type LaunchOptions } from "./launch";
import { folderElsewhere, place, type Placement } from "./placement";
import { livePostmaster, readPostmaster } from "./postmaster";
import { isAlive } from "./processes";
import { superuserPassword } from "./superuser-password";
import { StartFault } from "./start-fault";
import { systemUser, type UserLookup } from "./system-user";
import { connectionString, Tenancy, type ServerAddress } from "./tenancy";

/** The shop's database on an embedded server. */
export const DATABASE = "tea_shop";

/** How an embedded server is started. */
export interface EmbeddedPostgresOptions {
  /** Absolute path of the folder that holds the cluster, its password and its log. */
  readonly dataDir: string;
  /** false trades safety against crashes of the machine for speed, for tests. */
  readonly durable?: boolean;
  /** Is told what a user should know, a line each. */
  readonly log?: (line: string) => void;
  /** Is called once when the server is gone, or taken over, while it is used. */
  readonly onLost?: (fault: Error) => void;
  /** Finds the user to run as in place of root. */
  readonly lookUpUser?: UserLookup;
}

/** A PostgreSQL server on a data folder, used by this process and maybe by others. */
export interface EmbeddedPostgres {
  /** A connection string for one of its databases; {@link DATABASE} exists. */
  url(database: string): string;
  /** Makes this process the folder's one service; false where another one is. */
  claim(): Promise<boolean>;
  /** Ends the use; stops the server where nobody else uses it, and then waits for its end. */
  stop(): Promise<void>;
  /** Stops, and deletes the data folder with everything in it. */
  remove(): Promise<void>;
  /** Whether this call started the server; false: it was running already. */
  readonly started: boolean;
}

/** How long passing obstacles are waited for, in milliseconds: a server that stops, a killed one whose backends end. */
const START_TIMEOUT = 10_000;
const STOP_TIMEOUT = 60_000;
const RETRY_INTERVAL = 50;

/**
 * Starts PostgreSQL on a data folder, or uses the server that runs on it, such as the orphan of a
 * process that was killed. Listens on 127.0.0.1 only.
 *
 * @throws StartFault with what to do
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, log = () => undefined, lookUpUser = systemUser } = options;
  const binaries = await findBinaries();
  const password = await superuserPassword(dataDir);
  const placement = await place({ dataDir, binaries, lookUpUser, log });
  await ensureCluster(placement, { password, durable });
  const folder = await realpath(placement.cluster);
  const logFile = path.join(dataDir, "postgres.log");
  const server = { folder, password };
  const { tenancy, started } = await startOrJoin(placement, server, { folder, durable, logFile });
  const use = new ServerUse(tenancy, server, dataDir, started, options.onLost);
  try {
    await tenancy.ensureDatabase(DATABASE);
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
): Promise<{ tenancy: Tenancy; started: boolean }> {
  let started = false;
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline;) {
    const postmaster = await livePostmaster(server.folder);
    if (!postmaster && (await launch(placement, options))) {
      started = true;
      continue;
    }
    const tenancy = postmaster && (await Tenancy.begin(server, postmaster));
    if (tenancy) return { tenancy, started };
    await setTimeout(RETRY_INTERVAL);
  }
  const blocker = await readPostmaster(server.folder);
  throw new StartFault(
    `PostgreSQL does not start on ${server.folder}` +
      (blocker ? `: process ${blocker.pid} holds it and does not answer` : "") +
      `; its log is ${options.logFile}`,
  );
}

class ServerUse implements EmbeddedPostgres {
  private claimed = false;
  private stopped: Promise<void> | undefined;

  constructor(
    private tenancy: Tenancy,
    private readonly server: ServerAddress,
    private readonly dataDir: string,
    readonly started: boolean,
    private readonly onLost: (fault: Error) => void = () => undefined,
  ) {
    this.watch();
  }

  url(database: string): string {
    return connectionString(this.tenancy.port, this.server.password, database);
  }

  async claim(): Promise<boolean> {
    this.claimed = await this.tenancy.claim();
    return this.claimed;
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.leave());
  }

  async remove(): Promise<void> {
    await this.stop();
    const { folder } = this.server;
    await rm(folderElsewhere(folder) ?? folder, { recursive: true, force: true });
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async leave(): Promise<void> {
    const { tenancy, isLast } = await this.releaseUse();
    try {
      if (tenancy && isLast) await this.shutDown(tenancy);
    } finally {
      await tenancy?.end();
    }
  }

  private async releaseUse(): Promise<{ tenancy: Tenancy | undefined; isLast: boolean }> {
    try {
      return { tenancy: this.tenancy, isLast: await this.tenancy.isLast() };
    } catch {
      // The connection broke; the server may be alive all the same.
      const tenancy = await join(this.server);
      return { tenancy, isLast: (await tenancy?.isLast()) ?? false };
    }
  }

  /** Ends sessions and stops the server in order ("fast shutdown"). */
  private async shutDown(tenancy: Tenancy): Promise<void> {
    const { folder } = this.server;
    const pid = await tenancy.serverProcess(folder);
    if (pid === undefined) return;
    process.kill(pid, "SIGINT");
    const deadline = Date.now() + STOP_TIMEOUT;
    while (isAlive(pid) && (await readPostmaster(folder))?.pid === pid) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL (process ${pid}) does not stop`);
      await setTimeout(10);
    }
  }

  private watch(): void {
    this.tenancy.onLost(() => {
      if (this.stopped) return;
      this.rejoin().catch((fault: unknown) => {
        if (!this.stopped) this.onLost(fault as Error);
      });
    });
  }

  /** After a crash of one session the server ends all others and goes on: the locks are taken anew. */
  private async rejoin(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT;
    while (Date.now() < deadline && (await livePostmaster(this.server.folder))) {
      const tenancy = await join(this.server);
      if (tenancy?.port === this.tenancy.port) {
        this.tenancy = tenancy;
        if (this.claimed && !(await tenancy.claim())) break;
        this.watch();
        return;
      }
      await tenancy?.end();
      await setTimeout(RETRY_INTERVAL);
    }
    throw new StartFault(
      `The embedded database is gone; its log is in ${this.dataDir}. Start again to recover it`,
    );
  }
}

async function join(server: ServerAddress): Promise<Tenancy | undefined> {
  const postmaster = await livePostmaster(server.folder);
  return postmaster && Tenancy.begin(server, postmaster);
}
