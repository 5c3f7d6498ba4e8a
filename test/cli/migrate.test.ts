import { spawnService } from "../support/service";
import { createDatabase, createEmptyDatabase, query, type TestDatabase } from "../support/database";
import { tea, type Outcome } from "./terminal";

jest.setTimeout(60_000);

let database: TestDatabase;

afterEach(() => database.drop());

const migrateUp = (): Promise<Outcome> =>
  tea("migrate up", { environment: { DATABASE_URL: database.url } });

const SETTINGS =
  "statement_timeout, idle_in_transaction_session_timeout, default_transaction_isolation, search_path";

test("a start before the migrations says in one sentence what to run", async () => {
  database = await createEmptyDatabase();
  const service = spawnService(database.url);
  expect((await service.ended).code).toBe(1);
  expect(service.printed("stderr")).toMatch(
    /^\d+ migrations are not applied: 001-extensions-and-role to \S+\. Run: node dist\/cli\/main\.js migrate up\n$/,
  );
});

describe("the settings of the role", () => {
  const settings = async (): Promise<unknown> =>
    (
      await query(
        database.url,
        `SELECT split_part(setting, '=', 1) AS name, split_part(setting, '=', 2) AS value
         FROM pg_db_role_setting, unnest(setconfig) AS setting
         WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND setrole = current_user::regrole ORDER BY 1`,
      )
    ).map((row) => Object.values(row));
  const set = (change: string) =>
    query(database.url, `ALTER ROLE CURRENT_USER IN DATABASE ${database.name} SET ${change}`);

  test("are set again where a restore has lost them, though no migration is pending", async () => {
    database = await createDatabase();
    expect(await settings()).toEqual([]);
    expect(await migrateUp()).toEqual({
      exitCode: 0,
      stdout: "The schema is up to date\n",
      stderr: expect.stringMatching(
        new RegExp(
          `^warning: The role \\S+ lacks .* ${database.name}.*: ${SETTINGS}\\. They are set now\\.\n$`,
        ),
      ),
    });
    expect(await settings()).toEqual([
      ["default_transaction_isolation", "read committed"],
      ["idle_in_transaction_session_timeout", "5s"],
      ["search_path", '"$user", public'],
      ["statement_timeout", "5s"],
    ]);
    expect(await migrateUp()).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("stay as an operator has set them", async () => {
    database = await createDatabase();
    await set("statement_timeout = '30s'");
    await migrateUp();
    expect(await settings()).toContainEqual(["statement_timeout", "30s"]);
  });

  test("get the isolation level without which the service does not start", async () => {
    database = await createDatabase();
    await set("default_transaction_isolation = 'serializable'");
    await migrateUp();
    expect(await settings()).toContainEqual(["default_transaction_isolation", "read committed"]);
  });
});
