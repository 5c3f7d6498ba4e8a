/** @check */
import type { LocalSettings } from "../../src/config/settings";
import { openDatabase } from "../../src/local/open-database";
import type { Lifecycle } from "../../src/process/lifecycle";
import { Migrator } from "../../src/database/migrations/migrator";
import { tea } from "../cli/terminal";
import { startApp } from "../support/app";
import {
  administrate,
  createEmptyDatabase,
  nameInRun,
  query,
  type TestDatabase,
} from "../support/database";
import { send } from "../support/raw-http";
import { faultOf } from "./migration-folder";

// Quoted everywhere, as its capital letter and hyphen ask for.
const ROLE = `${nameInRun()}-Tea`;
const QUOTED = `"${ROLE}"`;

let database: TestDatabase;
/** The database, as the role. */
let url: string;

beforeEach(async () => {
  await administrate(`CREATE ROLE ${QUOTED} LOGIN PASSWORD 'for a moment'`);
  database = await createEmptyDatabase();
  const asRole = new URL(database.url);
  asRole.username = ROLE;
  asRole.password = "for a moment";
  url = asRole.href;
});

afterEach(async () => {
  await database.drop();
  await administrate(`DROP ROLE ${QUOTED}`);
});

const asOwner = (statement: string): Promise<object[]> => query(database.url, statement);

const migrate = (): Promise<string[]> => new Migrator({ databaseUrl: url }).up();

/** Serves as the role and searches, which takes both extensions. */
async function expectToServe(): Promise<void> {
  const app = await startApp({ database: { url } });
  await app.make.product({ name: "Maté from Paraná" });
  const document = encodeURIComponent(
    '{ products(filter: { search: "mate parana" }) { data { name } } }',
  );
  const { body } = await send(app.url, {
    method: "GET",
    path: `/graphql?query=${document}`,
    headers: { "apollo-require-preflight": "true" },
  });
  expect(body).toMatchObject({ data: { products: { data: [{ name: "Maté from Paraná" }] } } });
  await app.close();
}

test("the owner of a database migrates it without being a superuser", async () => {
  await asOwner(`ALTER DATABASE ${database.name} OWNER TO ${QUOTED}`);
  expect(await migrate()).toContain("001-extensions-and-role");
  await expectToServe();
});

test("a role that lacks a right is told which one, and migrates once it has it", async () => {
  expect(await faultOf(migrate())).toBe(
    "No table can be created: permission denied for schema public",
  );
  await asOwner(`GRANT CREATE ON SCHEMA public TO ${QUOTED}`);
  const outcome = await tea("migrate up", { environment: { DATABASE_URL: url } });
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stderr).toContain(
    'permission denied to create extension "pg_trgm". Must have CREATE privilege on current database',
  );
  for (const name of ["pg_trgm", "unaccent"]) await asOwner(`CREATE EXTENSION ${name}`);
  await migrate();
  await expectToServe();
});

test("npm start migrates as the role of MIGRATION_DATABASE_URL, and serves as that of DATABASE_URL", async () => {
  const settings = { database: { url }, migrations: { databaseUrl: database.url } };
  const quiet = { isInteractive: false, say: () => undefined, step: () => undefined };
  await expect(openDatabase(settings as LocalSettings, {} as Lifecycle, quiet)).resolves.toBe(url);
  expect(await new Migrator({ databaseUrl: database.url }).up()).toEqual([]);
});
