import type { LocalSettings } from "../config/settings";
import { startEmbeddedDatabase } from "./embedded-database";

const EXIT_CODE_INTERRUPTED = 130;

/**
 * Hands the shop's database to a command: the one that migrations use, else the embedded one, whose
 * server is started for as long as the command runs where no service runs it.
 *
 * @throws OperatorError, and whatever `use` throws
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
    // That the command lost its database is of no interest: the process is about to exit.
    if (interruption.signal.aborted) await new Promise(() => undefined);
  }
}
