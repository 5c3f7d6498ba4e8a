import type { Logger } from "pino";
import type { ServerSettings, Settings } from "../config/settings";
import { checkDatabase } from "../database/checks/database-check";
import { checkIndexes } from "../database/checks/indexes";
import { checkPooler } from "../database/checks/pooler";
import { checkRoleSettings } from "../database/checks/role-settings";
import { Migrator } from "../database/migrations/migrator";
import { libraryWarnings, logNodeWarnings } from "../observability/log/library-warnings";
import { createLogger } from "../observability/log/request-log";
import type { ProcessMetrics } from "../observability/metrics";
import type { Lifecycle } from "../process/lifecycle";
import { startMetricsServer } from "../process/metrics-server";
import { assertSecretsOpen } from "../services/secrets/sealed-secrets";
import { OperatorError } from "../vocabulary/errors";

/** The logger of a process in production, which also gets the warnings of Node and of libraries. */
export function productionLogger({ logLevel }: Settings): Logger {
  const logger = createLogger(logLevel);
  console.warn = libraryWarnings(logger);
  logNodeWarnings(logger);
  return logger;
}

/** @throws OperatorError if the database can't be used as it is, with these secrets */
export async function assertUsable(settings: Settings, logger: Logger): Promise<void> {
  const { url } = settings.database;
  await checkDatabase(url);
  await checkPooler(settings.database);
  const warn = (message: string) => logger.warn(message);
  await new Migrator({ ...settings.migrations, warn }).assertCurrent();
  await checkRoleSettings(url, warn);
  await checkIndexes(url, warn);
  await assertSecretsOpen(url, settings.data, { command: "node dist/cli/main.js" });
}

/** Serves metrics until the process ends. */
export async function serveMetrics(
  settings: ServerSettings,
  metricsText: ProcessMetrics["text"],
  logger: Logger,
  lifecycle: Lifecycle,
): Promise<void> {
  const server = await startMetricsServer(settings, metricsText);
  lifecycle.onEnd(() => server.close());
  logger.info({ address: server.address }, "serving metrics");
}

/** Prints errors that the operator can fix as plain text, and logs all others with their stack. */
export function reportFailure(failure: unknown): void {
  if (failure instanceof OperatorError) process.stderr.write(`${failure.message}\n`);
  else createLogger("fatal").fatal({ err: failure }, "unexpected failure");
}
