import type { ClientConfig } from "pg";
import type { Meter } from "../meter";
import type { GuardedClient } from "./guarded-client";

type StatementMeter = Pick<Meter, "statementEnded">;

/** Members of pg's client that its declarations leave out. */
interface Wire {
  readonly connection: NodeJS.EventEmitter;
}

interface Sent {
  readonly name: string;
  readonly at: number;
}

/** The first words of statements; what begins with another word is counted together. */
const kinds: ReadonlySet<string> = new Set([
  "select",
  "with",
  "insert",
  "update",
  "delete",
  "begin",
  "commit",
  "rollback",
]);

/** A class of clients that tell the meter of every statement that the server has answered. */
export const meteredClient = (
  Client: typeof GuardedClient,
  meter: StatementMeter,
): typeof GuardedClient =>
  class extends Client {
    /** Statements that were sent; the server answers them in this order. */
    private readonly sent: Sent[] = [];

    constructor(config?: string | ClientConfig) {
      super(config);
      let failed = false;
      const end = (hasFailed: boolean): void => {
        const statement = this.sent.shift();
        if (!statement) return; // the server also says so when the session has begun
        meter.statementEnded(statement.name, (performance.now() - statement.at) / 1000, hasFailed);
      };
      const { connection } = this as unknown as Wire;
      connection.on("errorMessage", () => (failed = true));
      connection.on("readyForQuery", () => {
        end(failed);
        failed = false;
      });
      connection.on("end", () => {
        while (this.sent.length > 0) end(true);
      });
    }

    // The types stand for those of any overload.
    override query(...args: never[]): never {
      this.sent.push({ name: nameOf(args[0]), at: performance.now() });
      return super.query(...args);
    }
  };

function nameOf(
  statement: string | { readonly name?: string; readonly text?: string } = "",
): string {
  const { name, text = "" } = typeof statement === "string" ? { text: statement } : statement;
  if (name !== undefined) return name;
  const word = text.trimStart().slice(0, 9).split(/\W/, 1)[0]?.toLowerCase() ?? "";
  return kinds.has(word) ? word : "other";
}
