import { TimeoutClient } from "./timeout-client";

/** A statement that may have a name; one with `submit` is a query object that sends itself. */
interface Named {
  name?: string | undefined;
  readonly submit?: unknown;
}

/**
 * A client that prepares no statement under a name. A pooler in transaction mode may run the next
 * transaction in another session, which does not know the name, or knows it as the name of another client's
 * statement.
 */
export class UnnamedClient extends TimeoutClient {
  override query(...args: never[]): never {
    const [statement, ...rest] = args as unknown[];
    return super.query(...([unnamed(statement), ...rest] as never[]));
  }
}

function unnamed(statement: unknown): unknown {
  if (!isNamed(statement)) return statement;
  // A query object that sends itself can't be copied, because its caller listens to its events.
  if (statement.submit === undefined) return { ...statement, name: undefined };
  statement.name = undefined;
  return statement;
}

const isNamed = (statement: unknown): statement is Named =>
  typeof statement === "object" && statement !== null && "name" in statement;
