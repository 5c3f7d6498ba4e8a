import type { ClientConfig } from "pg";
import { SessionClient } from "./session-client";

/** Milliseconds until a statement must be answered. Together with the wait for a connection, under 3 s. */
const STATEMENT_TIMEOUT = 1_800;

/** A change was refused because the server, or the session, takes none, as after a failover. Another session may. */
const READ_ONLY = "25006";

/** Members of pg's client that its declarations leave out. */
interface Wire {
  readonly connection: NodeJS.EventEmitter & { readonly stream: { destroy(): void } };
}

/**
 * A client that gives up on a server that hangs: it breaks the connection if a statement or the end of the
 * session is not answered in time. The server's timeout can't do that, because a hung server runs no timer.
 * pg's `query_timeout` leaves the connection open, so the rollback would wait behind the statement.
 */
export class TimeoutClient extends SessionClient {
  /** Tells the pool not to hand it out again. */
  protected _invalid?: boolean;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(config?: string | ClientConfig) {
    super(config);
    // A connection may break before the pool listens; without a listener its error would end the process.
    this.on("error", () => undefined);
    wireOf(this).connection.on("readyForQuery", () => this.rest());
    wireOf(this).connection.on("errorMessage", ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY) this._invalid = true;
    });
  }

  // The types stand for those of any overload; the same holds for `end`.
  override query(...args: never[]): never {
    this.watch();
    return (super.query as (...args: never[]) => never)(...args);
  }

  override end(...args: never[]): never {
    this.watch();
    return (super.end as (...args: never[]) => never)(...args);
  }

  private watch(): void {
    this.rest();
    const watchdog = setTimeout(() => {
      // After a time in which the process did not run, an answer may be there that was not read yet.
      setImmediate(() => {
        if (this.watchdog === watchdog) wireOf(this).connection.stream.destroy();
      });
    }, STATEMENT_TIMEOUT);
    this.watchdog = watchdog.unref();
  }

  private rest(): void {
    clearTimeout(this.watchdog);
    this.watchdog = undefined;
  }
}

const wireOf = (client: unknown): Wire => client as Wire;
