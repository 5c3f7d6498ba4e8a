import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkFeatures } from "../../src/database/checks/check-features";
import { features } from "../../src/database/checks/features";
import { createDatabase, query, type TestDatabase } from "../support/database";
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
    expect.stringMatching(/^LACKS {2}locks of a session +migrations, imports$/),
    expect.stringMatching(/^LACKS {2}temporary tables of a transaction +imports$/),
  ]);
  expect(stdout).toMatch(/\n {7}\S.*\n/);
  expect([exitCode, stderr]).toEqual([
    1,
    `error: The shop can't use this database: it lacks 2 features of ${features.length}\n`,
  ]);
});

test("a feature is missing if it is refused, has another effect, or breaks the connection", async () => {
  const feature = (name: string, ...trial: string[]) => ({ name, neededFor: "a test", trial });
  const outcomes = await checkFeatures(database.url, [
    feature("refused", "SELECT no_such_function() AS works"),
    feature("another effect", "CREATE TABLE left_over (id integer)", "SELECT false AS works"),
    feature("no answer", "CREATE TABLE left_over (id integer)"),
    feature("broken", "SELECT pg_terminate_backend(pg_backend_pid())"),
    feature("there", "CREATE TABLE left_over (id integer)", "SELECT true AS works"),
  ]);
  const accepted = "It is accepted, but has another effect than in PostgreSQL";
  expect(outcomes.map(({ name, fault }) => [name, fault])).toEqual([
    ["refused", "function no_such_function() does not exist"],
    ["another effect", accepted],
    ["no answer", accepted],
    ["broken", expect.stringContaining("terminat")],
    ["there", undefined],
  ]);
  expect(await query(database.url, "SELECT FROM pg_class WHERE relname = 'left_over'")).toEqual([]);
});

test("who may create no schema is told so", async () => {
  const role = `checker_${database.name}`;
  await query(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'a password'`);
  const url = new URL(database.url);
  Object.assign(url, { username: role, password: "a password" });
  const refused = await check(url.href);
  await query(database.url, `DROP ROLE ${role}`);
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    `error: permission denied for database ${database.name}\n`,
  ]);
});

const root = path.resolve(__dirname, "../..");

/** The texts of all files of a folder whose names end so. */
const textsIn = (folder: string, ending: string): string =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(path.join(root, folder, name), "utf8"))
    .join("\n");

test("each feature by whose name engines differ is tried, if a migration uses it", () => {
  const used = textsIn("migrations", ".up.sql").matchAll(
    /\bpg_(?:advisory|try_advisory|current|snapshot|trigger|postmaster|get_serial)\w*(?=\()|\b(?:CONCURRENTLY|SECURITY DEFINER|REFERENCING|BEFORE TRUNCATE|INCLUDE|SKIP LOCKED|KEY SHARE|WITH ORDINALITY|MATERIALIZED|IDENTITY|STORED|gin_trgm_ops|unaccent|und-x-icu|bit_xor|to_jsonb|jsonb_to_recordset|jsonb_each|xmin|tableoid)\b/g,
  );
  const tried = textsIn("src/database/checks/features", ".ts");
  const missing = [...new Set([...used].map(([name]) => name))].filter(
    (name) => !tried.includes(name),
  );
  expect(missing).toEqual([]);
});
