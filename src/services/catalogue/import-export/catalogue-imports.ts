import type { MigrationSettings } from "../../../config/settings";
import { assertOwnSession } from "../../../database/checks/pooler";
import { cancelStatement } from "../../../database/connection/cancel";
import { withClient } from "../../../database/connection/with-client";
import { BoundedQueue } from "../../../vocabulary/bounded-queue";
import { unavailable } from "../../../vocabulary/errors";
import { importCatalogue, type ImportOptions, type ImportOutcome } from "./import-catalogue";
import type { FileLine } from "./read-entry";

/** Imports for clients of the service: {@link importCatalogue} on a connection of its own. */
export class CatalogueImports {
  /** A second import fails at the lock, which commands take, too. */
  private readonly queue = new BoundedQueue({ concurrency: 2, waiting: 0 });

  constructor(private readonly settings: MigrationSettings) {}

  /**
   * Imports lines, or finds out what an import would change. Nothing is stored if the signal is aborted before all is.
   *
   * @throws the errors of {@link importCatalogue} and of `lines`; DomainError UNAVAILABLE if the signal was aborted, or
   *   too many imports are under way
   */
  run(
    lines: AsyncIterable<readonly FileLine[]>,
    options: Omit<ImportOptions, "givesWay">,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const { databaseUrl } = this.settings;
    const onProgress = (done: number, total: number): void => {
      if (signal.aborted) throw unavailable("abandoned");
      options.onProgress(done, total);
    };
    return this.queue.run(
      () =>
        withClient(databaseUrl, async (client) => {
          const cancel = (): void => void cancelStatement(client);
          signal.addEventListener("abort", cancel);
          try {
            await assertOwnSession(client, databaseUrl);
            return await importCatalogue(client, lines, { ...options, givesWay: true, onProgress });
          } finally {
            signal.removeEventListener("abort", cancel);
          }
        }),
      signal,
    );
  }
}
