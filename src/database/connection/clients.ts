import { Client, type ClientConfig } from "pg";
import { addStartupParameters } from "./internals";

/**
 * Settings of every session, whatever the defaults of the server, the database or the role are. They are sent
 * in the startup message, and PgBouncer tracks each of them per client. pg itself sends the encoding. Settings
 * that PgBouncer does not track are set on the role (migration 001).
 */
const SESSION = {
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
} as const;

/** A client whose session does not depend on the server's defaults; the service uses no other. */
export class SessionClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    addStartupParameters(this, SESSION);
  }
}

/** Together with the wait for a connection, under 3 s. */
const STATEMENT_TIMEOUT = 1_800;

/**
 * SQLSTATEs after which the pool needs another session: this one takes no changes, as after a failover, or the server
 * has ended it.
 */
const SESSION_UNFIT = /^(?:25006|08|57P)/;

/**
 * A client that gives up on a server that hangs: it breaks the connection if a statement or the end of the
 * session is not answered in time. The server's timeout can't do that, because a hung server runs no timer.
 * pg's `query_timeout` leaves the connection open, so the rollback would wait behind the statement.
 */
export class TimeoutClient extends SessionClient {
  protected _invalid?: boolean;
  /** Milliseconds until a statement must be answered. */
  patience = STATEMENT_TIMEOUT;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(config?: string | ClientConfig) {
    super(config);
    // A connection may break before the pool listens; without a listener its error would end the process.
    this.on("error", () => undefined);
    this.connection.on("readyForQuery", () => this.rest());
    this.connection.on("errorMessage", ({ code = "" }: { readonly code?: string }) => {
      if (SESSION_UNFIT.test(code)) this._invalid = true;
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
        if (this.watchdog === watchdog) this.connection.stream.destroy();
      });
    }, this.patience);
    this.watchdog = watchdog.unref();
  }

  private rest(): void {
    clearTimeout(this.watchdog);
    this.watchdog = undefined;
  }
}

/**
 * A client that prepares no statement under a name. A pooler in transaction mode may run the next
 * transaction in another session, which does not know the name, or knows it as the name of another client's
 * statement.
 */
export class UnnamedClient extends TimeoutClient {
  override query(...args: never[]): never {
    const [statement, ...rest] = args as unknown[];
    const sent = typeof statement === "object" ? { ...statement, name: undefined } : statement;
    return super.query(...([sent, ...rest] as never[]));
  }
}

export interface ObservedStatement {
  readonly name?: string | undefined;
  readonly text?: string;
}

/**
 * Is called with each statement when it is sent. The returned function is called once, when the server has
 * answered or the connection is broken. It runs outside any request's context; see {@link AsyncResource.bind}.
 */
export type StatementObserver = (statement: ObservedStatement) => (hasFailed: boolean) => void;

/** A class of clients that report every statement to an observer, also those that Sequelize sends. */
export const observedClient = (
  Client: typeof TimeoutClient,
  observe: StatementObserver,
): typeof TimeoutClient =>
  class extends Client {
    /** Callbacks for the ends of the sent statements. The server answers statements in this order. */
    private readonly sent: ReturnType<StatementObserver>[] = [];

    constructor(config?: string | ClientConfig) {
      super(config);
      let failed = false;
      this.connection.on("errorMessage", () => (failed = true));
      this.connection.on("readyForQuery", () => {
        this.sent.shift()?.(failed); // the server also sends this when the session has begun
        failed = false;
      });
      this.connection.on("end", () => {
        for (const ended of this.sent.splice(0)) ended(true);
      });
    }

    // The types stand for those of any overload.
    override query(...args: never[]): never {
      const [statement = ""] = args as (string | ObservedStatement)[];
      this.sent.push(observe(typeof statement === "string" ? { text: statement } : statement));
      return super.query(...args);
    }
  };
