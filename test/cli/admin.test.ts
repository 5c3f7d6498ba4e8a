import { compare } from "bcrypt";
import { createDatabase, createEmptyDatabase, query, type TestDatabase } from "../support/database";
import { failed, tea, type Outcome, type Situation } from "./terminal";

const PASSWORD = "  twelve or more  ";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

beforeEach(async () => {
  await query(database.url, "DELETE FROM admins");
});

afterAll(async () => {
  await database.drop();
});

const admin = (command: string, { environment, ...situation }: Situation = {}): Promise<Outcome> =>
  tea(`admin ${command}`, {
    ...situation,
    environment: { DATABASE_URL: database.url, BCRYPT_COST: "4", ...environment },
  });

const storedHash = async (email: string): Promise<string | undefined> => {
  const rows = await query<{ hash: string }>(
    database.url,
    "SELECT password_hash AS hash FROM admins WHERE email = $1",
    [email],
  );
  return rows[0]?.hash;
};

const hasPassword = async (email: string, password: string): Promise<boolean> =>
  compare(password, (await storedHash(email)) ?? "");

const created: Outcome = {
  exitCode: 0,
  stdout: "Created administrator ada@example.com\n",
  stderr: "",
};

describe("the password", () => {
  test.each([
    ["with a line feed", `${PASSWORD}\n`],
    ["with a carriage return and a line feed", `${PASSWORD}\r\n`],
    ["without an end of line", PASSWORD],
  ])("is the line on standard input, %s, blanks kept", async (_, input) => {
    expect(await admin("create ada@example.com", { input })).toEqual(created);
    expect(await hasPassword("ada@example.com", PASSWORD)).toBe(true);
  });

  test.each([
    ["empty", "", "No password on standard input"],
    ["an empty line", "\n", "No password on standard input"],
    ["two lines", `${PASSWORD}\n${PASSWORD}\n`, "Standard input must be one line: the password"],
    ["endless", "x".repeat(5000), "Standard input must be one line: the password"],
    ["too short", "eleven char\n", "The password must have at least 12 characters"],
    ["too long", "ä".repeat(37), "The password must have at most 72 bytes"],
    ["a frequent one", "123qweasdzxc\n", "The password must not be a common password"],
    ["no UTF-8", Buffer.alloc(20, 0xff), "The password on standard input is not UTF-8"],
  ])("is refused where standard input is %s", async (_, input, fault) => {
    expect(await admin("create ada@example.com", { input })).toEqual(failed(`error: ${fault}\n`));
    expect(await storedHash("ada@example.com")).toBeUndefined();
  });

  test("is asked for twice at a terminal and never shown", async () => {
    const typed = [`${PASSWORD}\r`, `${PASSWORD}\r`];
    const outcome = await admin("create ada@example.com", { typed });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: created.stdout });
    expect(outcome.stderr).toContain("Password for ada@example.com:");
    expect(outcome.stderr).not.toContain("twelve");
    expect(await hasPassword("ada@example.com", PASSWORD)).toBe(true);
  });

  test.each([
    ["differ", [`${PASSWORD}\r`, "something else\r"], "The passwords differ"],
    ["are too short", ["short\r"], "The password must have at least 12 characters"],
    ["end early", ["\u0004"], "Cancelled"],
    ["are interrupted", [`${PASSWORD}\r`, "\u0003"], "Cancelled"],
  ])("is refused where the typed ones %s", async (_, typed, fault) => {
    const outcome = await admin("create ada@example.com", { typed });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toMatch(new RegExp(`error: ${fault}\n$`));
    expect(await storedHash("ada@example.com")).toBeUndefined();
  });

  test("is refused in ADMIN_PASSWORD with a carriage return at its end", async () => {
    const environment = { DATABASE_URL: database.url, ADMIN_PASSWORD: `${PASSWORD}\r` };
    expect(await admin("create return@example.com", { environment })).toEqual(
      failed(
        "error: ADMIN_PASSWORD must have no control characters, such as a carriage return at its end\n",
      ),
    );
  });

  test("is that of ADMIN_PASSWORD, which may stand alone", async () => {
    const environment = { ADMIN_PASSWORD: PASSWORD };
    expect(await admin("create ada@example.com", { environment })).toEqual({
      ...created,
      stderr: "Taking the password from ADMIN_PASSWORD\n",
    });
    expect(await hasPassword("ada@example.com", PASSWORD)).toBe(true);
  });

  test("is not that of the first administrator, unless it is for them", async () => {
    const environment = { ADMIN_EMAIL: "First@example.com", ADMIN_PASSWORD: PASSWORD };
    await admin("create ada@example.com", { environment, input: "another password" });
    expect(await hasPassword("ada@example.com", "another password")).toBe(true);
    await admin("create firsT@example.com", { environment });
    expect(await hasPassword("firsT@example.com", PASSWORD)).toBe(true);
  });

  test("is never an argument", async () => {
    const outcome = await tea(["admin", "create", "ada@example.com", PASSWORD]);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toMatch(/too many arguments/);
  });
});

describe("accounts", () => {
  beforeEach(async () => {
    expect(await admin("create ada@example.com", { input: PASSWORD })).toEqual(created);
  });

  test("are deactivated, activated and listed, letter case ignored", async () => {
    await admin("create zoe.long@example.com", { input: PASSWORD });
    expect((await admin("deactivate ADA@example.com")).stdout).toBe(
      "Administrator ada@example.com is deactivated\n",
    );
    expect((await admin("list")).stdout).toBe(
      "ada@example.com       ADMIN  deactivated\nzoe.long@example.com  ADMIN  active\n",
    );
    expect((await admin("activate ada@example.com")).stdout).toBe(
      "Administrator ada@example.com is active\n",
    );
    expect((await admin("list")).stdout).not.toContain("deactivated");
  });

  test("get another password", async () => {
    const outcome = await admin("set-password ada@example.com", { input: "a better password" });
    expect(outcome.stdout).toBe("Set the password of administrator ada@example.com\n");
    expect(await hasPassword("ada@example.com", "a better password")).toBe(true);
  });

  test("are one for each e-mail", async () => {
    expect(await admin("create Ada@example.com", { input: PASSWORD })).toEqual(
      failed("error: Administrator Ada@example.com exists already\n"),
    );
    // What the database refuses for another reason is not said to exist.
    await query(database.url, "ALTER TABLE admins ADD CONSTRAINT no_more CHECK (false) NOT VALID");
    const refused = await admin("create zoe@example.com", { input: PASSWORD });
    await query(database.url, "ALTER TABLE admins DROP CONSTRAINT no_more");
    expect(refused.stderr).toMatch(/^error: .*"no_more"\n$/);
  });

  test.each(["deactivate", "activate", "set-password", "reset-second-factor"])(
    "must exist for %s",
    async (command) => {
      expect(await admin(`${command} nobody@example.com`, { input: PASSWORD })).toEqual(
        failed("error: Administrator nobody@example.com not found\n"),
      );
    },
  );

  test("are created for e-mail addresses only, and have no others", async () => {
    const outcome = await admin("create ada", { input: PASSWORD });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain("It must be an e-mail address.");
    expect(await admin("set-password ada", { input: PASSWORD })).toEqual(
      failed("error: email must be an email\n"),
    );
  });
});

test("an address that a terminal would obey is printed escaped", async () => {
  await query(
    database.url,
    `INSERT INTO admins (email, password_hash) VALUES (E'"a\\x1b[2J\\r"@example.com', 'x')`,
  );
  const escaped = '"a\\u{1b}[2J\\u{d}"@example.com';
  expect((await admin("list")).stdout).toBe(`${escaped}  ADMIN  active\n`);
  const address = '"a\x1b[2J\r"@example.com';
  expect((await admin(`deactivate ${address}`)).stdout).toBe(
    `Administrator ${escaped} is deactivated\n`,
  );
});

test("says so where there are no accounts", async () => {
  expect((await admin("list")).stdout).toBe("There are no administrators\n");
});

test("asks for the migrations that are missing", async () => {
  const empty = await createEmptyDatabase();
  const outcome = await admin("list", { environment: { DATABASE_URL: empty.url } });
  expect(outcome).toEqual(
    failed(
      expect.stringMatching(
        /^error: \d+ migrations are not applied: 001-extensions-and-role to \S+\. Run: node dist\/cli\/main\.js migrate up\n$/,
      ),
    ),
  );
  await empty.drop();
});
