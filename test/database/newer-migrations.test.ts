/** @check */

import { rm } from "node:fs/promises";
import { newDataDir, startLocalService } from "../support/local-service";
import { startService } from "../support/service";
import { createDatabase, query } from "../support/database";
import { tea } from "../cli/terminal";
import { faultOf, openMigrationFolder } from "./migration-folder";

test("a release that goes back is refused where an older migration was never applied, or is missing or edited", async () => {
  const folder = await openMigrationFolder();
  await folder.writeTable("001-create-cups", "cups");
  await folder.writeTable("003-create-pots", "pots");
  await folder.writeTable("004-create-trays", "trays");
  await folder.migrator().up();
  await folder.removeFiles("004-create-trays");
  const refused = async (fault: string): Promise<void> => {
    expect(await faultOf(folder.migrator().assertCurrent())).toBe(fault);
    expect(await faultOf(folder.migrator().up())).toBe(fault);
  };
  await folder.writeTable("002-create-bowls", "bowls");
  await refused("002-create-bowls is not applied, but a later migration is");
  await folder.removeFiles("001-create-cups", "002-create-bowls");
  await folder.write("003-create-pots.up.sql", "SELECT 1;\n");
  await refused(
    "001-create-cups is applied, but its files are missing\n003-create-pots.up.sql was edited after it was applied",
  );
  await folder.close();
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
