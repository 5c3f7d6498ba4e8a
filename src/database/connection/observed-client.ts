import type { ClientConfig } from "pg";
import type { TimeoutClient } from "./timeout-client";

/** A statement as it is sent. */
export interface ObservedStatement {
  /** The name that it is prepared under. */
  readonly name?: string | undefined;
  readonly text?: string;
}

/**
 * Is called with each statement when it is sent. The returned function is called once, when the server has
 * answered or the connection is broken. It runs outside any request's context; see {@link AsyncResource.bind}.
 */
export type StatementObserver = (statement: ObservedStatement) => (hasFailed: boolean) => void;

/** Members of pg's client that its declarations leave out. */
interface Wire {
  readonly connection: NodeJS.EventEmitter;
}

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
      const { connection } = this as unknown as Wire;
      connection.on("errorMessage", () => (failed = true));
      connection.on("readyForQuery", () => {
        this.sent.shift()?.(failed); // the server also sends this when the session has begun
        failed = false;
      });
      connection.on("end", () => {
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
