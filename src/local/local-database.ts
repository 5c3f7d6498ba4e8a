import type { LocalSettings } from "../config/settings";
import { startEmbeddedDatabase } from "./embedded-database";

const EXIT_CODE_INTERRUPTED = 130;

/**
 * Calls `use` with the database that migrations use or, if none is set, with the embedded one. The embedded server
 * runs only during the call, unless a service uses it.
 *
 * @throws OperatorError, and the errors of `use`
 */
export async function withLocalDatabase<T>(
  { migrations, dataDir }: Pick<LocalSettings, "migrations" | "dataDir">,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (migrations.databaseUrl !== undefined) return use(migrations.databaseUrl);
  const server = await startEmbeddedDatabase({ dataDir, log: (line) => console.error(line) });
  const interruption = new AbortController();
  const interrupt = (): void => {
    interruption.abort();
    void server.stop().finally(() => process.exit(EXIT_CODE_INTERRUPTED));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await use(server.url());
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await server.stop();
    // The process is about to exit, and the command must not report that it lost its database.
    if (interruption.signal.aborted) await new Promise(() => undefined);
  }
}
