// Upgrades a large shop from the schema before migration 009 to today's, one migration after another, each under
// load of the release before: npm run rehearse -- upgrades [--size products,orders] [--from migration]
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Postgres } from "../../../bench/support/postgres.mjs";
import { part } from "../support/part.mjs";
import { environment, program, ROOT } from "../support/program.mjs";
import { doing, seen, since } from "../support/say.mjs";
import { Release } from "../support/service.mjs";
import { tea } from "../support/tea.mjs";
import { isFailed, Load } from "./load.mjs";
import { LockWatch } from "./lock-watch.mjs";
import { build, releaseBefore, startsOnNewerSchemas, titleOf } from "./releases.mjs";

const LONGEST_LOCK = 1000;
/** Milliseconds of load before and after each migration. */
const AROUND = 3000;
/** Milliseconds that the repair of lists waits for another session. */
const PATIENCE = 120_000;
const ADMINISTRATOR = { email: "ada@example.com", password: "not a secret at all" };
/** Passwords are compared quickly: logins are there for the tables that they use. */
const SETTINGS = {
  ADMIN_EMAIL: ADMINISTRATOR.email,
  ADMIN_PASSWORD: ADMINISTRATOR.password,
  BCRYPT_COST: "4",
  LOGIN_FAILURE_LIMIT: "0",
  LOGIN_ADDRESS_FAILURE_LIMIT: "0",
};

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "100000,500000" },
    from: { type: "string", default: "9" },
  },
});
const [products, orders] = values.size.split(",");

await part(async ({ folder, cleanup }) => {
  const steps = await plan();
  const postgres = await Postgres.start(cleanup);
  const shop = await prepare(postgres, steps[0].release);
  for (const { release, migrations } of steps) {
    await upgrade({ shop, release, migrations, folder, cleanup, postgres });
  }
  await tryToday(shop, cleanup);
});

/** The migrations from the first on, those with the same release before them together. */
async function plan() {
  const files = (await readdir(path.join(ROOT, "migrations"))).filter((name) =>
    /[.]up[.]sql$/.test(name),
  );
  const steps = [];
  for (const file of files.sort()) {
    const name = file.replace(/[.]up[.]sql$/, "");
    if (parseInt(name, 10) < parseInt(values.from, 10)) continue;
    const release = await releaseBefore(parseInt(name, 10));
    if (steps.at(-1)?.release === release) steps.at(-1).migrations.push(name);
    else steps.push({ release, migrations: [name] });
  }
  return steps;
}

/** A shop of the wanted size as the first release makes it. */
async function prepare(postgres, release) {
  const root = await build(release);
  const databaseUrl = postgres.url("upgrades");
  await postgres.sql(postgres.url("postgres"), "CREATE DATABASE upgrades TEMPLATE template0");
  doing(`a shop of ${products} products and ${orders} orders`);
  const started = performance.now();
  const env = { ...environment(), DATABASE_URL: databaseUrl };
  const run = (...args) =>
    program(process.execPath, ["dist/cli/main.js", ...args], { cwd: root, env });
  await run("migrate", "up");
  await run("seed", "demo");
  await run("seed", "demo", "--products", products, "--orders", orders);
  await postgres.sql(databaseUrl, "VACUUM (ANALYZE)");
  doing(`stored in ${since(started)}`);
  const rows = await postgres.sql(
    databaseUrl,
    "SELECT id FROM products WHERE is_active ORDER BY id LIMIT 1000",
  );
  return { databaseUrl, products: rows.map(({ id }) => id), administrator: ADMINISTRATOR };
}

async function upgrade({ shop, release, migrations, folder, cleanup, postgres }) {
  const { databaseUrl } = shop;
  const root = await build(release);
  console.log(`  release ${await titleOf(release)}`);
  const start = () => Release.start({ databaseUrl, root, settings: SETTINGS }, cleanup);
  const service = await start();
  for (const migration of migrations) {
    const load = new Load(service.url, shop);
    await setTimeout(AROUND);
    const locks = await LockWatch.start(databaseUrl);
    const started = performance.now();
    await migrate(databaseUrl, migration, folder);
    const time = since(started);
    await locks.stop();
    await setTimeout(AROUND);
    report(migration, { started, time }, await load.stop(), locks);
  }
  await service.stop();
  if (await startsOnNewerSchemas(release)) await serveAgain(start, shop);
  else doing("this release does not start anew on a newer schema, as all later ones do");
  await postgres.sql(databaseUrl, "ANALYZE");
}

/** Applies one migration, as the release that has it and none after it would. */
async function migrate(databaseUrl, last, folder) {
  const directory = path.join(folder, last);
  await mkdir(directory);
  for (const file of await readdir(path.join(ROOT, "migrations"))) {
    const isNewer = parseInt(file, 10) > parseInt(last, 10);
    if (!isNewer) await cp(path.join(ROOT, "migrations", file), path.join(directory, file));
  }
  const { Migrator } = await import(path.join(ROOT, "dist/database/migrations/migrator.js"));
  await new Migrator({ databaseUrl, directory }).up();
}

function report(migration, { started, time }, answers, locks) {
  const failed = answers.filter(isFailed);
  const before = failed.filter(({ at }) => at < started).length;
  const slowest = answers.reduce((most, { ms }) => Math.max(most, ms), 0);
  seen(
    [
      `${migration} in ${time}: ${answers.length} requests, failed ${failed.length} (${before} before it began)`,
      `slowest ${slowest.toFixed(0)} ms`,
      `longest lock ${locks.longestHeld.toFixed(0)} ms (${locks.name})`,
      `longest wait ${locks.longestWait.toFixed(0)} ms`,
    ].join(", "),
    failed.length === 0 && locks.longestHeld <= LONGEST_LOCK && locks.longestWait <= LONGEST_LOCK,
  );
  for (const { status, error, text } of failed.slice(0, 3))
    console.log(`    ${status} ${error ?? text}`);
}

async function serveAgain(start, shop) {
  const service = await start();
  const load = new Load(service.url, shop);
  await setTimeout(AROUND);
  const answers = await load.stop();
  const failed = answers.filter(isFailed);
  seen(
    `started anew on the schema after: ${answers.length} requests, failed ${failed.length}`,
    failed.length === 0,
  );
  await service.stop();
}

/** Today's release on the schema that the upgrades made, and what it keeps of the lists. */
async function tryToday(shop, cleanup) {
  const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  console.log(`  release ${version}, this one`);
  const { databaseUrl } = shop;
  await serveAgain(() => Release.start({ databaseUrl, settings: SETTINGS }, cleanup), shop);
  seen(`lists check: ${(await repair(databaseUrl)).trim()}`);
  seen(`and again: ${(await tea(databaseUrl, "lists", "check")).trim()}`);
}

/** Counts the lists. PostgreSQL goes on for a while with a count that the service had begun when it stopped. */
async function repair(databaseUrl) {
  const last = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await tea(databaseUrl, "lists", "check", "--repair");
    } catch (error) {
      if (!error.message.includes("in use by another session")) throw error;
      if (performance.now() > last) throw error;
      await setTimeout(1000);
    }
  }
}
