import { GuardedClient } from "./guarded-client";

/** A statement as pg takes it: its text, a description, or a query that sends itself. */
interface Named {
  name?: string | undefined;
  readonly submit?: unknown;
}

/**
 * A client that prepares nothing under a name: a pooler in transaction mode hands the next transaction
 * another session, which does not know the name or knows it as another client's.
 */
export class UnnamedClient extends GuardedClient {
  override query(...args: never[]): never {
    const [statement, ...rest] = args as unknown[];
    return super.query(...([unnamed(statement), ...rest] as never[]));
  }
}

function unnamed(statement: unknown): unknown {
  if (!isNamed(statement)) return statement;
  // A query that sends itself is more than its members: its callers listen to this very one.
  if (statement.submit === undefined) return { ...statement, name: undefined };
  statement.name = undefined;
  return statement;
}

const isNamed = (statement: unknown): statement is Named =>
  typeof statement === "object" && statement !== null && "name" in statement;
