import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkFeatures } from "../../src/database/checks/check-features";
import { features } from "../../src/database/checks/features";
import type { Feature } from "../../src/database/checks/features/feature";
import { freePort } from "../../src/embedded-postgres/free-port";
import { createDatabase, nameInRun, query, type TestDatabase } from "../support/database";
import { repetitions } from "../support/repetitions";
import { startTransactionPooler } from "../support/transaction-pooler";
import { tea } from "./terminal";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const check = (url = database.url) => tea("database check", { environment: { DATABASE_URL: url } });

/** Everything that a trial could leave behind. */
const leftOvers = () =>
  query(
    database.url,
    `SELECT (SELECT count(*) FROM pg_namespace) AS schemas, (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'i')) AS relations,
       (SELECT count(*) FROM pg_proc) AS functions, (SELECT array_agg(setconfig::text ORDER BY setconfig::text) FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())) AS settings,
       (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks`,
  );

test("PostgreSQL has every feature, and nothing is left of the trials", async () => {
  const before = await leftOvers();
  const { exitCode, stdout, stderr } = await check();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const [server, ...lines] = stdout.trimEnd().split("\n");
  expect(server).toMatch(/^PostgreSQL [0-9]/);
  expect(lines.pop()).toBe(`All ${features.length} features work`);
  expect(lines.filter((line) => !line.startsWith("works  "))).toEqual([]);
  expect(lines).toHaveLength(features.length);
  expect(await leftOvers()).toEqual(before);
});

test("what a pooler in transaction mode loses is named, with what needs it, and the command fails", async () => {
  const pooler = await startTransactionPooler(database.url, { names: "kept" });
  const { exitCode, stdout, stderr } = await check(pooler.url);
  await pooler.close();
  const lacking = stdout.split("\n").filter((line) => line.startsWith("LACKS"));
  expect(lacking).toEqual([
    expect.stringMatching(/^LACKS {2}temporary tables of a transaction +imports$/),
    expect.stringMatching(/^LACKS {2}locks of a session +migrations, imports$/),
  ]);
  expect(stdout).toMatch(/\n {7}\S.*\n/);
  expect([exitCode, stderr]).toEqual([
    1,
    `error: The shop can't use this database: it lacks 2 features of ${features.length}\n`,
  ]);
});

test("what only commands use is tried past the pooler", async () => {
  const pooler = await startTransactionPooler(database.url, { names: "kept" });
  const { exitCode, stdout, stderr } = await tea("database check", {
    environment: { DATABASE_URL: pooler.url, MIGRATION_DATABASE_URL: database.url },
  });
  expect({ exitCode, stderr, refused: pooler.refused }).toEqual({
    exitCode: 0,
    stderr: "",
    refused: [],
  });
  expect(stdout).toContain(`All ${features.length} features work`);
  await pooler.close();
});

test("where names of statements are mixed up, it says how the shop does without", async () => {
  const pooler = await startTransactionPooler(database.url, { names: "mixed up" });
  const { exitCode, stdout } = await tea("database check", {
    environment: { DATABASE_URL: pooler.url, MIGRATION_DATABASE_URL: database.url },
  });
  await pooler.close();
  expect(stdout).toMatch(
    /^lacks {2}statements that are prepared by name +fast lists\n {7}.*\n {7}To do without, set NAMED_STATEMENTS=off$/m,
  );
  expect(stdout).toContain(
    `The shop can use this database without 1 feature of ${features.length}\n`,
  );
  expect(exitCode).toBe(0);
});

test("a pooler that has one session is told from a database that lacks something", async () => {
  const pooler = await startTransactionPooler(database.url, { sessions: 1 });
  const { exitCode, stderr } = await check(pooler.url);
  await pooler.close();
  expect(stderr).toMatch(/^error: The check needs two sessions at a time, .*raise its pool size/);
  expect(exitCode).toBe(1);
});

const feature = (name: string, ...trial: string[]): Feature => ({
  name,
  neededFor: "a test",
  trial,
});

const checkOf = (list: readonly Feature[], options = {}) =>
  checkFeatures({ ofService: database.url, ofCommands: database.url }, { list, ...options });

test("a feature is missing if it is refused, has another effect, breaks the connection, or takes too long", async () => {
  const before = await leftOvers();
  const outcomes = await checkOf(
    [
      feature("refused", "SELECT no_such_function() AS works"),
      feature("another effect", "CREATE TABLE trial_left (id integer)", "SELECT false AS works"),
      feature("no answer", "CREATE TABLE trial_left (id integer)"),
      feature("broken", "SELECT pg_terminate_backend(pg_backend_pid())"),
      feature("too long", "CREATE TABLE trial_left (id integer)", "SELECT pg_sleep(100)"),
      feature("there", "CREATE TABLE trial_left (id integer)", "SELECT true AS works"),
    ],
    { patience: 1_000 },
  );
  const accepted = "It is accepted, but has another effect than in PostgreSQL";
  expect(outcomes.map(({ name, fault }) => [name, fault])).toEqual([
    ["refused", "function no_such_function() does not exist"],
    ["another effect", accepted],
    ["no answer", accepted],
    ["broken", expect.stringContaining("terminat")],
    ["too long", "Query read timeout"],
    ["there", undefined],
  ]);
  expect(
    await query(
      database.url,
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(100)' AND state = 'active'",
    ),
  ).toEqual([]);
  expect(await leftOvers()).toEqual(before);
});

test("checks at the same time don't meet", async () => {
  const some = Array.from({ length: repetitions({ few: 2, all: 3 }) }, () => checkOf(features));
  const outcomes = await Promise.all(some);
  expect(outcomes.flat().filter(({ fault }) => fault !== undefined)).toEqual([]);
});

/** The rights that README.md names for a role that owns nothing. */
async function lesserRole(...rights: string[]): Promise<{ name: string; url: string }> {
  const name = nameInRun();
  await query(database.url, `CREATE ROLE ${name} LOGIN PASSWORD 'a password'`);
  for (const right of rights) await query(database.url, right.replaceAll("this_role", name));
  const url = new URL(database.url);
  Object.assign(url, { username: name, password: "a password" });
  return { name, url: url.href };
}

test("a role with the rights of the migrations needs no more, wherever the extensions are", async () => {
  const role = await lesserRole(
    "CREATE SCHEMA AUTHORIZATION this_role",
    "CREATE SCHEMA extensions_of_this_role",
    "GRANT USAGE ON SCHEMA extensions_of_this_role TO this_role",
    "ALTER EXTENSION pg_trgm SET SCHEMA extensions_of_this_role",
    "ALTER EXTENSION unaccent SET SCHEMA extensions_of_this_role",
    'ALTER ROLE this_role SET search_path = "$user", extensions_of_this_role',
  );
  await query(role.url, "CREATE TABLE trial_rows AS SELECT 1 AS id");
  const before = await leftOvers();
  const { exitCode, stdout, stderr } = await check(role.url);
  const after = await leftOvers();
  const rows = await query(role.url, "TABLE trial_rows");
  await query(database.url, "ALTER EXTENSION pg_trgm SET SCHEMA public");
  await query(database.url, "ALTER EXTENSION unaccent SET SCHEMA public");
  await query(database.url, `DROP OWNED BY ${role.name}`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`All ${features.length} features work`);
  expect({ after, rows }).toEqual({ after: before, rows: [{ id: 1 }] });
});

test("who may create nothing is told so", async () => {
  const role = await lesserRole();
  const refused = await check(role.url);
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: Nothing can be tried: the role may create neither a schema \(permission denied for database .*\) nor a table/,
    ),
  ]);
});

test("a database that is away is no database that lacks something", async () => {
  const url = new URL(database.url);
  url.port = String(await freePort());
  const { exitCode, stdout, stderr } = await check(url.href);
  expect([exitCode, stdout, stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/^error: connect ECONNREFUSED /),
  ]);
});

test("a database that goes away ends the check", async () => {
  const pooler = await startTransactionPooler(database.url);
  const leaving: Feature = {
    name: "goes",
    neededFor: "a test",
    trial: async () => {
      await pooler.close();
      return false;
    },
  };
  const checking = checkFeatures(
    { ofService: pooler.url, ofCommands: database.url },
    { list: [leaving, feature("never tried", "SELECT true AS works")] },
  );
  await expect(checking).rejects.toThrow(/ECONNREFUSED/);
  expect(await query(database.url, OURS)).toEqual([]);
});

const OURS = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tea_shop_check%' ORDER BY 1";

test("an interrupted check removes what it has created, and one that was killed leaves it to the next", async () => {
  const [old, young, other] = ["1_0123456789ab", "9999999999_0123456789ab", "of_mine"].map(
    (end) => `tea_shop_check_${end}`,
  );
  await query(database.url, `CREATE SCHEMA ${old} CREATE TABLE left_over (id integer)`);
  await query(database.url, `CREATE SCHEMA ${young}; CREATE SCHEMA ${other}`);
  await query(database.url, "CREATE TABLE public.tea_shop_check_1_0123456789ab_rows (id integer)");
  const interruption = new AbortController();
  const found: unknown[] = [];
  const interrupting: Feature = {
    name: "interrupted",
    neededFor: "a test",
    trial: async () => {
      found.push(...(await query(database.url, OURS)));
      interruption.abort();
      return true;
    },
  };
  const outcomes = await checkOf([interrupting, interrupting], { signal: interruption.signal });
  expect(outcomes).toHaveLength(1);
  expect(found).toHaveLength(3);
  expect(await query(database.url, OURS)).toEqual([{ nspname: young }, { nspname: other }]);
  expect(
    await query(database.url, "SELECT FROM pg_class WHERE relname LIKE 'tea_shop_check%'"),
  ).toEqual([]);
  await query(database.url, `DROP SCHEMA ${young}; DROP SCHEMA ${other}`);
});

const root = path.resolve(__dirname, "../..");

/** The texts of all files of a folder whose names end so. */
const textsIn = (folder: string, ending: string): string =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(path.join(root, folder, name), "utf8"))
    .join("\n");

/** The keywords of SQL, and the functions that it calls. */
const wordsIn = (sql: string): Set<string> =>
  new Set(sql.match(/\b[A-Z][A-Z_]+\b|\b[a-z_][a-z_0-9]*(?=\()/g));

/** What every SQL database has. */
const ORDINARY = "ADD GROUP HAVING LEFT OFFSET QUERY";

test("each feature that a migration uses is tried", () => {
  const migrations = textsIn("migrations", ".up.sql").replace(/--.*$/gm, "");
  const own = migrations.match(/(?<=\b(?:FUNCTION|AS) )[a-z_]+(?= ?\()/g) ?? [];
  const used = wordsIn(migrations.replace(/'(?:[^']|'')*'/g, "''"));
  const known = wordsIn(textsIn("src/database/checks/features", ".ts"));
  for (const word of [...own, ...ORDINARY.split(" ")]) known.add(word);
  // Statements that are put together name these functions.
  const isTold = (word: string): boolean => word.startsWith("tell_");
  expect([...used].filter((word) => !known.has(word) && !isTold(word))).toEqual([]);
});

test("each function that reads tell replicas by is tried", () => {
  const used = readFileSync(path.join(root, "src/reads/position.ts"), "utf8").match(/\bpg_\w+/g);
  const tried = textsIn("src/database/checks/features", ".ts");
  expect(used?.filter((name) => !tried.includes(name))).toEqual([]);
});
