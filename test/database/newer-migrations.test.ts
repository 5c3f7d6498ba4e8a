import { rm } from "node:fs/promises";
import { newDataDir, startLocalService } from "../support/local-service";
import { startService } from "../support/service";
import { createDatabase, query } from "../support/database";
import { tea } from "../cli/terminal";
import { faultOf, openMigrationFolder, type MigrationFolder } from "./migration-folder";

describe("a release that goes back while its successor's schema stays", () => {
  let folder: MigrationFolder;
  let warnings: string[];

  beforeEach(async () => {
    warnings = [];
    folder = await openMigrationFolder();
    await folder.writeTable("001-create-cups", "cups");
    await folder.writeTable("003-create-pots", "pots");
    await folder.writeTable("004-create-trays", "trays");
    await folder.writeTable("005-create-spoons", "spoons");
    await folder.migrator().up();
    await folder.removeFiles("004-create-trays", "005-create-spoons");
  });

  afterEach(() => folder.close());

  const migrator = () => folder.migrator({ warn: (message) => warnings.push(message) });
  const warning =
    "The database has migrations that are newer than this release: 004-create-trays, 005-create-spoons. The schema is left as it is.";

  test("may start, and says which migrations are newer", async () => {
    await migrator().assertCurrent();
    expect(warnings).toEqual([warning]);
  });

  test("migrates nothing, and says so", async () => {
    expect(await migrator().up()).toEqual([]);
    expect(warnings).toEqual([warning]);
  });

  test("sees where each of them stands", async () => {
    const states = (await migrator().status()).map(({ state }) => state);
    expect(states).toEqual(["applied", "applied", "newer", "newer"]);
  });

  test("takes nothing back, as older migrations can't go before newer ones", async () => {
    expect(await faultOf(migrator().down())).toBe(
      ["004-create-trays", "005-create-spoons"]
        .map((name) => `${name} is newer than this release; revert it with the release that has it`)
        .join("\n"),
    );
    expect(await folder.tables()).toContain("pots");
  });

  test("is refused where a migration between them was never applied", async () => {
    await folder.writeTable("002-create-bowls", "bowls");
    const fault = "002-create-bowls is not applied, but a later migration is";
    expect(await faultOf(migrator().assertCurrent())).toBe(fault);
    expect(await faultOf(migrator().up())).toBe(fault);
  });

  test("is refused where an older migration is missing or edited", async () => {
    await folder.removeFiles("001-create-cups");
    await folder.write("003-create-pots.up.sql", "SELECT 1;\n");
    const fault =
      "001-create-cups is applied, but its files are missing\n003-create-pots.up.sql was edited after it was applied";
    expect(await faultOf(migrator().assertCurrent())).toBe(fault);
    expect(await faultOf(migrator().up())).toBe(fault);
  });

  test("is refused where it has no migrations at all", async () => {
    await folder.removeFiles("001-create-cups", "003-create-pots");
    expect(await faultOf(migrator().assertCurrent())).toMatch(
      /^001-create-cups is applied, but its files are missing\n003-create-pots is/,
    );
  });
});

test("both entries and the commands work with a newer schema, and the entries warn", async () => {
  const database = await createDatabase();
  await query(
    database.url,
    "INSERT INTO schema_migrations (name, checksum) VALUES ('999-add-plans', 'x')",
  );
  const service = await startService(database.url);
  expect(service.printed()).toMatch(/"level":"warn".*newer than this release: 999-add-plans/);
  service.signal("SIGTERM");
  await service.ended;

  const dataDir = await newDataDir();
  const local = startLocalService(dataDir, { DATABASE_URL: database.url });
  await local.listening;
  local.signal("SIGTERM");
  await local.ended;
  expect(local.printed()).toMatch(/warning: .*newer than this release: 999-add-plans/);
  await rm(dataDir, { recursive: true });

  const environment = { DATABASE_URL: database.url };
  const run = (command: string) => tea(command, { environment });
  expect(await run("migrate up")).toEqual({
    exitCode: 0,
    stdout: "The schema is up to date\n",
    stderr: expect.stringContaining("warning: The database has migrations that are newer"),
  });
  expect(await run("migrate down")).toMatchObject({
    exitCode: 1,
    stderr:
      "error: 999-add-plans is newer than this release; revert it with the release that has it\n",
  });
  expect(await run("migrate status")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/\nnewer +\S+ +999-add-plans\n$/),
  });
  expect(await run("admin list")).toMatchObject({ exitCode: 0, stderr: "" });
  await database.drop();
});
