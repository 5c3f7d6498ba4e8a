import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { builtRelease } from "../support/built-release";
import { createEmptyDatabase, query, type TestDatabase } from "../support/database";
import { failed, tea, type Outcome, type Situation } from "./terminal";

const groups = {
  migrate: ["up", "down", "status"],
  admin: ["create", "deactivate", "activate", "set-password", "list"],
  seed: ["demo"],
  catalogue: ["export", "import", "touch"],
  orders: ["export"],
  subscribers: ["export"],
  customers: ["export", "erase"],
  secrets: ["renew"],
  dispatch: [],
};

const commands = Object.entries(groups).flatMap(([group, names]) => [
  group,
  ...names.map((name) => `${group} ${name}`),
]);

/** Runs a command of the build as a process. */
const spawnTea = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [path.join(__dirname, "../../dist/cli/main.js"), ...args], {
    env,
    cwd: tmpdir(),
    input: "a password of this length\n",
    encoding: "utf8",
  });

test("--version says version and commit of what was built", () => {
  const { version, commit } = builtRelease();
  expect(spawnTea(["--version"])).toMatchObject({
    status: 0,
    stdout: `${version} (${commit})\n`,
    stderr: "",
  });
});

describe("help", () => {
  test("lists the commands and where the database is", async () => {
    const { exitCode, stdout } = await tea("--help");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/migrate[^]*admin[^]*seed[^]*DATABASE_URL/);
  });

  test.each(commands)("of %s has a description and an example", async (command) => {
    const { exitCode, stdout, stderr } = await tea(`${command} --help`);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Usage: tea ${command}`);
    const options = stdout.match(/^ {2}-.*$/gm);
    for (const option of options ?? []) expect(option).toMatch(/^ {2}-.*\S {2,}[^\s(]/);
    expect(stdout).toMatch(
      new RegExp(`Examples?:\n( .*\n)* {2}npm run (--silent )?tea -- ${command}`),
    );
  });

  test.each([
    ["nonsense", /unknown command 'nonsense'/],
    ["admin create", /missing required argument 'email'/],
    ["migrate down --steps 0", /must be an integer from 1/],
    ["migrate down --steps 1.5", /must be an integer from 1/],
    ["seed demo --nonsense", /unknown option '--nonsense'/],
    ["catalogue export --format xml", /Allowed choices are csv, jsonl/],
    ["catalogue export --excel --format jsonl", /--excel writes CSV/],
    ["orders export orders.jsonl --excel", /--excel writes CSV/],
    ["catalogue import", /missing required argument 'file'/],
    ["catalogue import a.csv --dry-run --insist", /cannot be used with option/],
    ["orders export --status LOST", /Allowed choices are PENDING, PAID, CANCELLED/],
    ["orders export --from yesterday", /must be a day or a time in UTC/],
    ["orders export --from 2026-02-30", /must be a day or a time in UTC/],
  ])("follows a fault in usage: %s", async (command, fault) => {
    const { exitCode, stdout, stderr } = await tea(command);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(fault);
    expect(stderr).toContain("--help");
  });
});

describe("a database that can't be used", () => {
  test.each([
    [
      "postgres://someone:hidden@127.0.0.1:1/tea",
      "tea on 127.0.0.1:1 can't be used: connect ECONNREFUSED 127.0.0.1:1",
    ],
    [
      "postgres://someone:hidden@nowhere.invalid/tea",
      "tea on nowhere.invalid can't be used: getaddrinfo ",
    ],
  ])("is named, without its password: %s", async (url, fault) => {
    const outcome = await tea("migrate up", { environment: { DATABASE_URL: url } });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain(`error: The database ${fault}`);
    expect(outcome.stderr.trimEnd()).not.toMatch(/hidden|\n/);
  });

  test("is told from settings that are wrong", async () => {
    const environment = { DATABASE_URL: "mysql://somewhere", PORT: "no" };
    const { exitCode, stderr } = await tea("admin list", { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: PORT .*; DATABASE_URL must be a connection string.*\n$/);
  });
});

describe("on an empty database", () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });

  afterEach(async () => {
    await database.drop();
  });

  const run = (command: string, situation: Situation = {}): Promise<Outcome> =>
    tea(command, { ...situation, environment: { DATABASE_URL: database.url } });

  test("migrates up, down and tells the state", async () => {
    expect((await run("migrate down")).stdout).toBe("No migration is applied\n");
    expect((await run("migrate status")).stdout).toMatch(/^pending +001-extensions-and-role\n/);
    expect((await run("migrate up")).stdout).toMatch(
      /^applied 001-extensions-and-role\napplied 002/,
    );
    expect((await run("migrate up")).stdout).toBe("The schema is up to date\n");
    expect((await run("migrate status")).stdout).toMatch(
      /^applied {4}\d{4}-\d\d-\d\dT[\d:.]+Z {2}001-extensions-and-role\n/,
    );
    expect((await run("migrate down --steps 2")).stdout).toMatch(/^(reverted \d{3}-.*\n){2}$/);
    expect((await run("migrate status")).stdout.match(/^pending/gm)).toHaveLength(2);
  });

  test("names what contradicts the files", async () => {
    await run("migrate up");
    await query(database.url, "UPDATE schema_migrations SET checksum = 'x' WHERE name LIKE '001%'");
    expect(await run("migrate up")).toEqual(
      failed("error: 001-extensions-and-role.up.sql was edited after it was applied\n"),
    );
    expect(await run("migrate status")).toMatchObject(
      failed(
        "error: The files contradict the applied migrations\n",
        expect.stringMatching(/^edited +\S+ +001-extensions-and-role\n/),
      ),
    );
  });

  test("prefers the direct connection", async () => {
    const { exitCode } = await tea("migrate up", {
      environment: {
        DATABASE_URL: "postgres://pooler@127.0.0.1:1/tea",
        MIGRATION_DATABASE_URL: database.url,
      },
    });
    expect(exitCode).toBe(0);
  });

  test("stores the demonstration once", async () => {
    await run("migrate up");
    expect((await run("seed demo")).stdout).toBe(
      "Stored the demonstration: 60 products, 200 orders, 25 newsletter subscribers\n",
    );
    const again = await run("seed demo");
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(/^error: The catalogue is not empty: .*\n$/);
  });

  test("runs as a process", () => {
    const tea = (...args: string[]) =>
      spawnTea(args, { DATABASE_URL: database.url, BCRYPT_COST: "4" });
    expect(tea("migrate", "up").status).toBe(0);
    expect(tea("admin", "create", "ada@example.com")).toMatchObject({
      status: 0,
      stdout: "Created administrator ada@example.com\n",
      stderr: "",
    });
    expect(tea("admin", "create", "ada@example.com")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "error: Administrator ada@example.com exists already\n",
    });
  });
});
