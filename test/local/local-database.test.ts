/** @check */

import { checkRoleSettings } from "../../src/database/checks/role-settings";
import { Migrator } from "../../src/database/migrations/migrator";
import { startEmbeddedPostgres } from "../../src/embedded-postgres";
import { withLocalDatabase } from "../../src/local/embedded-database";
import { databasePassword } from "../../src/local/secrets";
import { query } from "../support/database";
import { databaseProcess, newDataDir, removeDataDir } from "../support/local-service";

jest.setTimeout(60_000);

describe("a command's database", () => {
  const encodingOf = async (databaseUrl: string): Promise<string | undefined> => {
    const [row] = await query<{ encoding: string }>(
      databaseUrl,
      "SELECT current_setting('server_encoding') AS encoding",
    );
    return row?.encoding;
  };

  test("else is the embedded one, which runs until the last user has gone", async () => {
    const dataDir = await newDataDir();
    const settings = { migrations: { databaseUrl: undefined }, dataDir };
    await withLocalDatabase(settings, async (outer) => {
      expect(await encodingOf(outer)).toBe("UTF8");
      await withLocalDatabase(settings, async (inner) => {
        expect(inner).toBe(outer);
        return Promise.resolve();
      });
      expect(await encodingOf(outer)).toBe("UTF8");
    });
    expect(await databaseProcess(dataDir)).toBeUndefined();
    await removeDataDir(dataDir);
  });

  test("belongs to an ordinary role, also where an earlier release has made it as a superuser", async () => {
    const dataDir = await newDataDir();
    const before = await startEmbeddedPostgres({
      dataDir,
      password: await databasePassword(dataDir),
      database: "tea_shop",
      durable: false,
    });
    await new Migrator({ databaseUrl: before.url() }).up();
    await query(before.url(), "INSERT INTO categories (name, slug) VALUES ('Kept', 'kept')");
    await before.stop();
    const settings = { migrations: { databaseUrl: undefined }, dataDir };
    await withLocalDatabase(settings, async (databaseUrl) => {
      const rows = <Row extends object>(statement: string) => query<Row>(databaseUrl, statement);
      expect(
        await rows(
          `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "mayMore"
           FROM pg_roles WHERE rolname = current_user`,
        ),
      ).toEqual([{ mayMore: false }]);
      // Who may only connect could hold the locks of all orders.
      expect(
        await rows(
          "SELECT has_database_privilege('public', current_database(), 'CONNECT') AS \"anybody\"",
        ),
      ).toEqual([{ anybody: false }]);
      // What was there is there, and the role may do to it what migrations do.
      expect(await rows("SELECT name FROM categories")).toEqual([{ name: "Kept" }]);
      const warnings: string[] = [];
      await checkRoleSettings(databaseUrl, (warning) => warnings.push(warning));
      expect(warnings).toEqual([]);
      const migrator = new Migrator({ databaseUrl });
      const all = (await migrator.status()).length;
      expect(await migrator.down(all)).toHaveLength(all);
      expect(await migrator.up()).toHaveLength(all);
    });
    await removeDataDir(dataDir);
  });
});
