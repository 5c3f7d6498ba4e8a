import {
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type Remedy,
} from "../embedded-postgres";
import { OperatorError } from "../vocabulary/errors";
import { databasePassword, databasePasswordFile } from "./secrets";

/**
 * Starts PostgreSQL on the data folder, or uses the server that runs there, and creates the shop's database
 * if it is missing.
 *
 * @throws OperatorError that names the settings that would help
 */
export async function startEmbeddedDatabase(
  options: Pick<EmbeddedPostgresOptions, "dataDir" | "durable" | "log" | "onLost">,
): Promise<EmbeddedPostgres> {
  const { dataDir, onLost } = options;
  try {
    return await startEmbeddedPostgres({
      ...options,
      password: await databasePassword(dataDir),
      database: "tea_shop",
      sharedFolder: "/var/lib/tea-shop",
      onLost: (fault) => onLost?.(forOperators(fault, dataDir)),
    });
  } catch (error) {
    throw forOperators(error as Error, dataDir);
  }
}

const remedies: Record<Remedy, (dataDir: string) => string> = {
  "other-folder": () => "To use another folder, set DATA_DIR",
  "other-password": (dataDir) => `Put the right ${databasePasswordFile(dataDir)} back`,
  "other-server": () => "To use your own PostgreSQL server (version 15 or later), set DATABASE_URL",
};

function forOperators(fault: Error, dataDir: string): Error {
  if (!(fault instanceof EmbeddedPostgresError)) return fault;
  const advice = fault.remedies.map((remedy) => remedies[remedy](dataDir));
  return new OperatorError([fault.message, ...advice].join(". "), { cause: fault });
}
