import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import { unavailable } from "../../vocabulary/errors";
import { cancelStatement } from "./cancel";
import { managerOf } from "./internals";

/**
 * Opens a connection with the settings of a pool, but outside it, for the duration of `use`. When the signal is
 * aborted, the statement under way is cancelled. The caller must limit the number of such connections. With
 * `patience`, a statement may take so many milliseconds.
 *
 * @throws the errors of the pool if it can't connect, those of pg, and any error of `use`; DomainError
 *   UNAVAILABLE if the signal was aborted before the connection was open
 */
export async function besidePool<T>(
  database: Sequelize,
  signal: AbortSignal,
  use: (client: Client) => Promise<T>,
  { patience }: { readonly patience?: number } = {},
): Promise<T> {
  const manager = managerOf(database);
  const client = await manager._connect(manager.config);
  if (patience !== undefined) Object.assign(client, { patience });
  let cancelled: Promise<boolean> | undefined;
  const cancel = (): void => void (cancelled = cancelStatement(client));
  signal.addEventListener("abort", cancel);
  try {
    if (signal.aborted) throw unavailable("abandoned");
    return await use(client);
  } finally {
    signal.removeEventListener("abort", cancel);
    // Awaited before disconnecting, because a pooler may then give the session to another client.
    await cancelled;
    await client.end().catch(() => undefined);
  }
}
