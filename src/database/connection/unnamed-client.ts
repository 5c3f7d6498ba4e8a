import { TimeoutClient } from "./timeout-client";

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
