import "../process/compile-cache";
import { createTeaShop } from "../app";
import { completeSettings, localSettings, processEnvironment } from "../config";
import { commandContext } from "../config/this-process";
import type { LocalSettings } from "../config/settings";
import { inWriteContext } from "../vocabulary/current-work";
import { OperatorError } from "../vocabulary/errors";
import { libraryWarnings, logNodeWarnings, logStart } from "../observability/log/library-warnings";
import { createLogger } from "../observability/log/request-log";
import { createMetrics } from "../observability/metrics";
import { runProcess, type Lifecycle } from "../process/lifecycle";
import { startMetricsServer } from "../process/metrics-server";
import { assertListenable, startServer } from "../process/server";
import { assertSecretsOpen } from "../services/secrets/sealed-secrets";
import { banner, terminal } from "./terminal";
import { ensureAdministrator, signingSecret, signingSecretFile } from "./secrets";
import { openDatabase } from "./open-database";
import { readableLog } from "./readable-log";

/** `npm start`: runs a shop that needs no settings, and prints where it listens. */
async function start(lifecycle: Lifecycle): Promise<void> {
  const { environment, fileIssues } = processEnvironment();
  const settings = localSettings(environment, fileIssues);
  await assertListenable(settings.server, "PORT");
  if (settings.metrics) await assertListenable(settings.metrics, "METRICS");
  const start = commandContext("start");
  const databaseUrl = await inWriteContext(start, () =>
    openDatabase(settings, lifecycle, terminal),
  );
  const secret = settings.tokens.secret ?? (await signingSecret(settings.dataDir));
  const complete = completeSettings(
    { ...settings, publicOrigin: settings.publicOrigin ?? localOrigin(settings.server) },
    { databaseUrl, secret },
  );
  await assertSecretsOpen(databaseUrl, complete.data, {
    ...(isGenerated(settings) && { advice: adviceFor(settings.dataDir) }),
    command: "npm run tea --",
  });

  const logger = createLogger(settings.logLevel, await readableLog(terminal));
  console.warn = libraryWarnings(logger);
  logNodeWarnings(logger);
  logStart(logger, settings);
  const metrics = settings.metrics && createMetrics();
  const shop = createTeaShop(complete, logger, metrics?.meter);
  lifecycle.onEnd(() => shop.close());
  const login = await inWriteContext(start, () => ensureAdministrator(shop, settings));

  const metricsServer =
    metrics && (await startMetricsServer(settings.metrics, () => metrics.text()));
  lifecycle.onEnd(() => metricsServer?.close());
  const server = await startServer(shop.handler, settings.server, {
    idle: settings.http.keepAliveTimeout * 1000,
  });
  lifecycle.onEnd(async () => {
    shop.startDraining();
    terminal.say("\n  Closing …");
    await server.drain();
  });
  if (settings.webhooks.dispatch) shop.startDispatching();
  const isEmbedded = settings.database.url === undefined;
  const facts = {
    address: server.address,
    dataDir: settings.dataDir,
    isEmbedded,
    metrics: metricsServer?.address,
    seconds: process.uptime(),
  };
  terminal.say(banner({ ...facts, hasExplorer: settings.explorer, ...login }));
}

/** Where a browser of this machine finds the service; undefined if the system chooses the port. */
const localOrigin = ({ port }: LocalSettings["server"]): string | undefined =>
  port === 0 ? undefined : `http://localhost:${port}`;

/** Whether all that is encrypted is encrypted under the secret that a start has generated. */
const isGenerated = ({ tokens, data }: LocalSettings): boolean =>
  tokens.secret === undefined && data.secret === undefined;

const adviceFor = (dataDir: string): string =>
  `They were encrypted under another secret than that in ${signingSecretFile(dataDir)}: put the right file back, or set JWT_SECRET and DATA_SECRET as they were then.`;

/** Prints errors that the user can fix as plain text, and all others with their stack. */
function report(error: unknown): void {
  console.error(error instanceof OperatorError ? error.message : error);
}

// The service goes on if its terminal, or the reader of its output, is gone.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

runProcess({ start, report, signals: ["SIGINT", "SIGTERM", "SIGHUP"] });
