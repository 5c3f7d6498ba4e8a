import { createTeaShop, type TeaShop } from "../app";
import { completeSettings, localSettings, processEnvironment } from "../config/index";
import type { Credentials, LocalSettings } from "../config/settings";
import { Migrator } from "../database/migrations/migrator";
import { checkRoleSettings } from "../database/role-settings";
import { checkDatabase } from "../database/database-check";
import { OperatorError } from "../errors";
import { runProcess, type Lifecycle } from "../process/lifecycle";
import { createLogger } from "../operations/logger";
import { startServer } from "../process/server";
import { banner } from "./banner";
import { seedDemo } from "../demo";
import { DATABASE, startEmbeddedPostgres } from "../embedded-postgres/index";
import { isNewDatabase } from "./new-database";
import { generatedAdministrator, keptAdministrator, signingSecret } from "./secrets";
import { StartFault } from "../embedded-postgres/start-fault";

async function start(lifecycle: Lifecycle): Promise<void> {
  const settings = localSettings(processEnvironment());
  const databaseUrl = await openDatabase(settings, lifecycle);
  const secret = settings.tokens.secret ?? (await signingSecret(settings.dataDir));

  const shop = createTeaShop(
    completeSettings(settings, { databaseUrl, secret }),
    createLogger(settings.logLevel),
  );
  lifecycle.onEnd(() => shop.close());
  const login = await ensureAdministrator(shop, settings);

  const server = await startServer(shop.handler, settings.server);
  lifecycle.onEnd(async () => {
    shop.startDraining();
    console.log("\n  Closing …");
    await server.drain();
  });
  const isEmbedded = settings.database.url === undefined;
  const facts = { address: server.address, dataDir: settings.dataDir, isEmbedded };
  console.log(banner({ ...facts, hasExplorer: settings.explorer, ...login }));
}

async function openDatabase(settings: LocalSettings, lifecycle: Lifecycle): Promise<string> {
  const { url } = settings.database;
  if (url === undefined) return openEmbedded(settings.dataDir, lifecycle);
  await checkDatabase(url);
  await new Migrator({ databaseUrl: settings.migrations.databaseUrl ?? url }).up();
  await checkRoleSettings(url, (message) => console.error(`warning: ${message}`));
  return url;
}

async function openEmbedded(dataDir: string, lifecycle: Lifecycle): Promise<string> {
  const server = await startEmbeddedPostgres({
    dataDir,
    log: (line) => console.log(line),
    onLost: (fault) => lifecycle.fail(fault),
  });
  lifecycle.onEnd(() => server.stop());
  if (!(await server.claim())) {
    throw new StartFault(
      `A tea shop is already running on the data folder ${dataDir}: stop that one, or set DATA_DIR (and PORT) for another`,
    );
  }
  const databaseUrl = server.url(DATABASE);
  await new Migrator({ databaseUrl }).up();
  if (await isNewDatabase(databaseUrl)) await seedDemo(databaseUrl);
  return databaseUrl;
}

/** The administrator that the settings name, or else a generated one, where there is none. */
async function ensureAdministrator(
  { services: { accounts } }: TeaShop,
  { firstAdmin, dataDir }: LocalSettings,
): Promise<{
  email: string | undefined;
  generated: Credentials | undefined;
  created: boolean;
}> {
  const existing = await accounts.list();
  if (existing.length === 0) {
    const generated = firstAdmin ? undefined : await generatedAdministrator(dataDir);
    const credentials = firstAdmin ?? generated;
    const created = credentials !== undefined && (await accounts.ensureFirst(credentials));
    return { email: credentials?.email, generated, created };
  }
  const kept = await keptAdministrator(dataDir);
  const generated = existing.some(({ email }) => email === kept?.email) ? kept : undefined;
  const named = existing.find(({ email }) => email === firstAdmin?.email);
  return { email: named?.email, generated, created: false };
}

/** Faults that the user can mend are told in plain lines, all else with its stack. */
function report(fault: unknown): void {
  const isPlain = fault instanceof OperatorError || fault instanceof StartFault;
  console.error(isPlain ? fault.message : fault);
}

// A terminal that was closed, or a reader that has gone, is no fault of the service.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

runProcess({ start, report, signals: ["SIGINT", "SIGTERM", "SIGHUP"] });
