import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { EmbeddedPostgresError } from "./error";
import { livePostmaster, readPostmaster } from "./postmaster";
import { isAlive } from "./processes";
import { folderElsewhere } from "./reachable-folder";
import { connectionString, type ServerAddress } from "./server-address";
import { Tenancy } from "./tenancy";

/** A PostgreSQL server on a data folder, used by this process and maybe by others. */
export interface EmbeddedPostgres {
  /** A connection string for one of its databases; by default the one that was named at the start. */
  url(database?: string): string;
  /** Makes this process the data folder's one owner; false where another one is. */
  claim(): Promise<boolean>;
  /** Ends the use; stops the server where nobody else uses it, and then waits for its end. */
  stop(): Promise<void>;
  /** Stops, and deletes the data folder with everything in it. */
  remove(): Promise<void>;
}

/** What is used, and how. */
interface ServerUseOptions {
  readonly server: ServerAddress;
  readonly dataDir: string;
  readonly sharedFolder: string;
  readonly database: string;
  readonly onLost: (fault: Error) => void;
}

/** How long, and how often, what keeps a server from answering for a while is waited for, in milliseconds. */
export const passingObstacles = { timeout: 10_000, interval: 50 };

const STOP_TIMEOUT = 60_000;

/** The use of a server from its start to its stop; survives that the server ends all sessions. */
export class ServerUse implements EmbeddedPostgres {
  private claimed = false;
  private stopped: Promise<void> | undefined;

  constructor(
    private tenancy: Tenancy,
    private readonly options: ServerUseOptions,
  ) {
    this.watch();
  }

  url(database = this.options.database): string {
    return connectionString(this.tenancy.port, this.options.server.password, database);
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
    const { server, dataDir, sharedFolder } = this.options;
    const cluster = folderElsewhere(server.folder, sharedFolder) ?? server.folder;
    await rm(cluster, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
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
      const tenancy = await Tenancy.begin(this.options.server);
      return { tenancy, isLast: (await tenancy?.isLast()) ?? false };
    }
  }

  /** Ends sessions and stops the server in order ("fast shutdown"). */
  private async shutDown(tenancy: Tenancy): Promise<void> {
    const { folder } = this.options.server;
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
        if (!this.stopped) this.options.onLost(fault as Error);
      });
    });
  }

  /** After a crash of one session the server ends all others and goes on: the locks are taken anew. */
  private async rejoin(): Promise<void> {
    const { server, dataDir } = this.options;
    const deadline = Date.now() + passingObstacles.timeout;
    while (Date.now() < deadline && (await livePostmaster(server.folder))) {
      const tenancy = await Tenancy.begin(server);
      if (tenancy?.port === this.tenancy.port) {
        this.tenancy = tenancy;
        if (this.claimed && !(await tenancy.claim())) break;
        this.watch();
        return;
      }
      await tenancy?.end();
      await setTimeout(passingObstacles.interval);
    }
    throw new EmbeddedPostgresError(
      `The embedded database is gone; its log is in ${dataDir}. Start again to recover it`,
    );
  }
}
