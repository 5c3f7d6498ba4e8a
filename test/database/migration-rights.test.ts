/** @check */
import { rm } from "node:fs/promises";
import type { LocalSettings } from "../../src/config/settings";
import { openDatabase } from "../../src/local/open-database";
import type { Lifecycle } from "../../src/process/lifecycle";
import { Migrator } from "../../src/database/migrations/migrator";
import { tea } from "../cli/terminal";
import { newDataDir, startLocalService } from "../support/local-service";
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

/** The statements that a message says should be run: each a line that ends as one. */
const statementsOf = (message: string): string[] =>
  message.split("\n").filter((line) => /^[A-Z]+ .*;$/.test(line));

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

const nothingDone = async (): Promise<void> => {
  expect(await asOwner("SELECT FROM pg_class WHERE relname = 'schema_migrations'")).toEqual([]);
};

test("the owner of a database migrates it without being a superuser", async () => {
  await asOwner(`ALTER DATABASE ${database.name} OWNER TO ${QUOTED}`);
  expect(await migrate()).toContain("001-extensions-and-role");
  await expectToServe();
});

test("a role that may create nothing is told all that the owner must run", async () => {
  const fault = await faultOf(migrate());
  expect(fault).toContain(`The role ${QUOTED} may not create tables in the schema public`);
  expect(fault).toContain("001-extensions-and-role needs the extensions pg_trgm and unaccent");
  expect(statementsOf(fault)).toEqual([
    `GRANT USAGE, CREATE ON SCHEMA public TO ${QUOTED};`,
    "CREATE EXTENSION pg_trgm;",
    "CREATE EXTENSION unaccent;",
  ]);
  await nothingDone();
  for (const statement of statementsOf(fault)) await asOwner(statement);
  await migrate();
  await expectToServe();
});

describe("where the extensions are in a schema that is not searched", () => {
  beforeEach(async () => {
    await asOwner(`GRANT CREATE ON SCHEMA public TO ${QUOTED}`);
    await asOwner("CREATE SCHEMA extensions");
    await asOwner("CREATE EXTENSION pg_trgm SCHEMA extensions");
    await asOwner("CREATE EXTENSION unaccent SCHEMA extensions");
  });

  test("they are to be moved", async () => {
    const fault = await faultOf(migrate());
    expect(statementsOf(fault)).toEqual([
      "ALTER EXTENSION pg_trgm SET SCHEMA public;",
      "ALTER EXTENSION unaccent SET SCHEMA public;",
    ]);
    await nothingDone();
    for (const statement of statementsOf(fault)) await asOwner(statement);
    await migrate();
    await expectToServe();
  });

  test("or their schema is to be searched", async () => {
    const [, grant = "", search = ""] =
      /if it must stay there: (GRANT .*?;) (ALTER ROLE .*;)$/m.exec(await faultOf(migrate())) ?? [];
    await asOwner(grant);
    await asOwner(search);
    await migrate();
    await expectToServe();
  });
});

test("the command and the start of the service say so, and fail", async () => {
  await asOwner(`GRANT CREATE ON SCHEMA public TO ${QUOTED}`);
  const outcome = await tea("migrate up", { environment: { DATABASE_URL: url } });
  expect(outcome).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /CREATE EXTENSION pg_trgm;.*CREATE EXTENSION unaccent;/,
    ) as string,
  });
  const dataDir = await newDataDir();
  const service = startLocalService(dataDir, { DATABASE_URL: url });
  expect((await service.ended).code).toBe(1);
  expect(service.printed()).toContain("CREATE EXTENSION unaccent;\n");
  await rm(dataDir, { recursive: true });
  await nothingDone();
});

test("npm start migrates as the role of MIGRATION_DATABASE_URL, and serves as that of DATABASE_URL", async () => {
  const settings = { database: { url }, migrations: { databaseUrl: database.url } };
  const quiet = { isInteractive: false, say: () => undefined, step: () => undefined };
  await expect(openDatabase(settings as LocalSettings, {} as Lifecycle, quiet)).resolves.toBe(url);
  expect(await new Migrator({ databaseUrl: database.url }).up()).toEqual([]);
});
