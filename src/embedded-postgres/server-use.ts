import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { EmbeddedPostgresError, isAlive } from "./system";
import { livePostmaster, readPostmaster, connectionString, type ServerAddress } from "./postmaster";
import { folderElsewhere } from "./placement";
import { Tenancy } from "./tenancy";

/** A PostgreSQL server on a data folder. Other processes may use it too. */
export interface EmbeddedPostgres {
  /** A connection string for a database; by default the database in the options of the start. */
  url(database?: string): string;
  /** Makes this process the only owner of the data folder. Returns false if another process owns it. */
  claim(): Promise<boolean>;
  /** Ends this process's use. If no other process uses the server, stops it and waits until it has ended. */
  stop(): Promise<void>;
  /** Like {@link stop}, and then deletes the data folder and the cluster. */
  remove(): Promise<void>;
}

interface ServerUseOptions {
  readonly server: ServerAddress;
  readonly dataDir: string;
  readonly sharedFolder: string;
  readonly database: string;
  readonly onLost: (error: Error) => void;
}

/** How long, and how often, to retry while a server does not answer for a temporary reason, in milliseconds. */
export const retries = { timeout: 10_000, interval: 50 };

const STOP_TIMEOUT = 60_000;

/** The use of a server from its start to its stop. It reconnects if the server ends all sessions. */
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
      // The connection broke, but the server may still be alive.
      const tenancy = await Tenancy.begin(this.options.server);
      return { tenancy, isLast: (await tenancy?.isLast()) ?? false };
    }
  }

  /** Stops the server with a "fast shutdown", which ends its sessions. */
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

  /** When a session crashes, the server ends all sessions but goes on: the locks must be taken again. */
  private async rejoin(): Promise<void> {
    const { server, dataDir } = this.options;
    const deadline = Date.now() + retries.timeout;
    while (Date.now() < deadline && (await livePostmaster(server.folder))) {
      const tenancy = await Tenancy.begin(server);
      if (tenancy?.port === this.tenancy.port) {
        this.tenancy = tenancy;
        if (this.claimed && !(await tenancy.claim())) break;
        this.watch();
        return;
      }
      await tenancy?.end();
      await setTimeout(retries.interval);
    }
    throw new EmbeddedPostgresError(
      `The embedded database is gone; its log is in ${dataDir}. Start again to recover it`,
    );
  }
}
