import type { ClientConfig } from "pg";
import { SessionClient } from "./session-client";

/** Longest wait for the answer to a statement, in milliseconds: with the wait for a connection, under 3 s. */
const STATEMENT_TIMEOUT = 1_800;

/** What pg's client has beside its declared members. */
interface Wire {
  readonly connection: NodeJS.EventEmitter & { readonly stream: { destroy(): void } };
}

/**
 * A client that gives up on a server that hangs: a statement that is not answered in time breaks its
 * connection, and so does a goodbye. The server's own time-out can't do that, as a hung server runs none, and the client's
 * `query_timeout` leaves the connection waiting, with the rollback behind it.
 */
export class GuardedClient extends SessionClient {
  private watchdog: NodeJS.Timeout | undefined;

  constructor(config?: string | ClientConfig) {
    super(config);
    // A connection may break before the pool listens; without a listener that would end the process.
    this.on("error", () => undefined);
    wireOf(this).connection.on("readyForQuery", () => clearTimeout(this.watchdog));
  }

  // Takes and returns whatever any of the overloads does; so does `end`.
  override query(...args: never[]): never {
    this.watch();
    return (super.query as (...args: never[]) => never)(...args);
  }

  override end(...args: never[]): never {
    this.watch();
    return (super.end as (...args: never[]) => never)(...args);
  }

  private watch(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => wireOf(this).connection.stream.destroy(), STATEMENT_TIMEOUT);
    this.watchdog.unref();
  }
}

const wireOf = (client: unknown): Wire => client as Wire;
