import type { Logger } from "pino";
import { outsideWork } from "../../vocabulary/current-work";

/** Milliseconds between two attempts to connect while the database is away. */
const INTERVAL = 1_000;

export interface WatchedDatabase {
  /** Opens a connection of its own and closes it; rejects with the reason if that fails. */
  readonly connect: () => Promise<void>;
  /** Whether a failure may mean that the database can't be reached. */
  readonly isLoss: (failure: unknown) => boolean;
}

/**
 * Logs one warning with the cause when the database goes away, and one line when it is back, however many
 * requests fail until then. The database is away if no connection can be opened. A session that was ended, or a
 * statement that took too long, does not show that.
 */
export class DatabaseWatch {
  private awaySince: number | undefined;
  private checking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly logger: Logger,
    private readonly database: WatchedDatabase,
  ) {}

  /** Whether a failure is explained by the fact that the database is away. Tries to connect if that is not known. */
  async explains(failure: unknown): Promise<boolean> {
    if (!this.database.isLoss(failure)) return false;
    if (this.awaySince === undefined) await (this.checking ??= this.check(failure));
    return this.awaySince !== undefined;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.checking;
  }

  private check(cause: unknown): Promise<void> {
    const settle = (reason?: Error): void => {
      this.checking = undefined;
      if (!this.closed) this.record(reason, cause);
    };
    return outsideWork(() => this.database.connect().then(() => settle(), settle));
  }

  private record(reason: Error | undefined, cause: unknown): void {
    if (!reason && this.awaySince !== undefined) {
      const milliseconds = Math.round(performance.now() - this.awaySince);
      this.awaySince = undefined;
      this.logger.info({ milliseconds }, "the database is back");
    }
    if (reason && this.awaySince === undefined) {
      this.awaySince = performance.now();
      this.logger.warn({ err: cause, reason: reason.message }, "the database is away");
    }
    if (reason) {
      this.timer = setTimeout(() => {
        this.checking ??= this.check(cause);
      }, INTERVAL);
      this.timer.unref();
    }
  }
}
