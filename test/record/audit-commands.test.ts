import { userInfo } from "node:os";
import { HEADER } from "../cli/catalogue-files";
import { useFolder } from "../cli/folder";
import { tea, type Situation } from "../cli/terminal";
import { useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { change, leftBy, rowOf, shownChanges, type Entry } from "./entries";

const app = useApp();
const folder = useFolder();

/** Commands that leave entries: each is run below, the last in test/cli and test/security. */
const recorded = [
  ...["admin create", "admin set-password", "admin activate", "admin deactivate"],
  "admin reset-second-factor",
  ...["seed demo", "catalogue import", "customers erase"],
  ...["secrets renew", "admin invite", "token create"],
];

/** Commands that change nothing which the log is about. */
const unrecorded = [
  ...["migrate up", "migrate down", "migrate status", "admin list"],
  ...["catalogue export", "catalogue touch", "orders export", "subscribers export"],
  ...["customers export", "dispatch"],
];

/** The commands that a help lists. */
async function listed(command: string): Promise<string[]> {
  const { stdout } = await tea([...command.split(" ").filter((word) => word !== ""), "--help"]);
  const [, commands = ""] = stdout.split("\nCommands:\n");
  const [names = ""] = commands.split("\n\n");
  return [...names.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}

test("every command leaves entries, or is listed here as one that does not", async () => {
  const commands = await Promise.all(
    (await listed("")).map(async (group) => {
      const ofGroup = await listed(group);
      return ofGroup.length === 0 ? group : ofGroup.map((command) => `${group} ${command}`);
    }),
  );
  expect(commands.flat().sort()).toEqual([...recorded, ...unrecorded].sort());
});

/** Runs a command that succeeds. */
async function run(args: string | string[], situation: Situation = {}): Promise<void> {
  const environment = { DATABASE_URL: app.database.url, BCRYPT_COST: "4" };
  const { exitCode, stderr } = await tea(args, { ...situation, environment });
  expect([exitCode, stderr]).toEqual([0, ""]);
}

/** What all entries of a command have in common. */
const by = (operation: string) => ({
  ...{ actor: userInfo().username, door: "COMMAND_LINE", operation },
  ...{ address: null, requestId: null, source: null },
});

graphqlClause("10.audit.command", "the demonstration leaves an entry for each row", async () => {
  const { left } = await leftBy(app, () => run("seed demo"));
  expect(
    await app.sql(
      `SELECT subject, count(*)::integer, count(DISTINCT subject_id)::integer AS ids
         FROM audit_entries WHERE operation = 'seed demo' GROUP BY subject ORDER BY subject`,
    ),
  ).toEqual([
    { subject: "CATEGORY", count: 8, ids: 8 },
    { subject: "PRODUCT", count: 60, ids: 60 },
  ]);
  for (const entry of left) {
    const table = entry.subject === "PRODUCT" ? "products" : "categories";
    const row = await rowOf(app, table, entry.subjectId!);
    expect(entry).toMatchObject({ ...by("seed demo"), changes: shownChanges(undefined, row) });
  }
});

graphqlClause("10.audit.command", "each change of an account leaves one entry", async () => {
  const email = "grace@example.com";
  const { left } = await leftBy(app, async () => {
    await run(`admin create ${email}`, { input: PASSWORD });
    await run(`admin set-password ${email}`, { input: "a better password" });
    await run(`admin deactivate ${email.toUpperCase()}`);
    await run(`admin activate ${email}`);
    // These change nothing.
    await run(`admin activate ${email}`);
    await run("admin list");
    await run("catalogue touch");
    await tea(`admin create ${email}`, {
      environment: { DATABASE_URL: app.database.url, BCRYPT_COST: "4" },
      input: PASSWORD,
    });
  });
  const [account] = await app.sql<{ id: number }>("SELECT id FROM admins WHERE email = $1", [
    email,
  ]);
  const of = { subject: "ADMINISTRATOR", subjectId: account!.id };
  expect(left).toMatchObject([
    {
      ...{ ...by("admin create"), ...of },
      changes: shownChanges(undefined, await rowOf(app, "admins", account!.id)),
    },
    { ...by("admin set-password"), ...of, changes: [change("password", null, null)] },
    { ...by("admin deactivate"), ...of, changes: [change("isActive", "true", "false")] },
    { ...by("admin activate"), ...of, changes: [change("isActive", "false", "true")] },
  ]);
  expect(left[0]!.changes).toContainEqual(change("password", null, null));
  const stored = await app.sql<{ entry: string; hash: string }>(
    "SELECT a::text AS entry, password_hash AS hash FROM audit_entries AS a, admins",
  );
  for (const { entry, hash } of stored) {
    for (const secret of [hash, PASSWORD, "a better password"]) expect(entry).not.toContain(secret);
  }
});

graphqlClause("10.factors.reset", "a reset leaves an entry for each factor", async () => {
  const { id, email } = await app.make.admin();
  await app.sql(
    `WITH codes AS (
       INSERT INTO one_time_codes (admin_id, secret, confirmed_at)
       VALUES ($1, 'sealed', '2026-01-02T03:04:05.678Z')
     ), recovery AS (INSERT INTO recovery_codes VALUES ($1, 'a'), ($1, 'b')
     ), session AS (INSERT INTO sessions (admin_id, idle_until, ends_at) VALUES ($1, now(), now()))
     INSERT INTO passkeys (admin_id, credential_id, public_key, counter, name)
     VALUES ($1, 'a', 'b', 0, 'Phone')`,
    [id],
  );
  const { left } = await leftBy(app, () => run(`admin reset-second-factor ${email}`));
  const changes = [
    change("oneTimeCodes", "2026-01-02T03:04:05.678Z", null),
    change("passkey", "Phone", null),
  ];
  expect(left).toMatchObject(
    changes.map((each) => ({
      ...by("admin reset-second-factor"),
      ...{ subject: "ADMINISTRATOR", subjectId: id, changes: [each] },
    })),
  );
  for (const table of ["one_time_codes", "recovery_codes", "passkeys", "sessions"]) {
    expect(await app.sql(`SELECT FROM ${table} WHERE admin_id = $1`, [id])).toEqual([]);
  }
});

graphqlClause("10.audit.command", "an import leaves an entry for each change", async () => {
  const name = `"it's" a \\ file, 茶.csv`;
  const file = (price: string, ...more: string[]) =>
    [
      ...[HEADER, "category,imports,Imports,true,,,,"],
      ...[`product,imported,Imported,true,,imports,${price},`, ...more, ""],
    ].join("\n");
  const imported = (price: string): Promise<Entry[]> => {
    const path = folder.write(name, file(price));
    return leftBy(app, () => run(["catalogue", "import", path])).then(({ left }) => left);
  };
  const rows = async () => {
    const [{ category, product }] = (await app.sql(
      "SELECT id AS product, category_id AS category FROM products WHERE slug = 'imported'",
    )) as [{ category: number; product: number }];
    return [
      await rowOf(app, "categories", category),
      await rowOf(app, "products", product),
    ] as const;
  };
  const created = await imported("2.00");
  const [category, before] = await rows();
  const shared = { ...by("catalogue import"), source: name };
  expect(created).toMatchObject([
    {
      ...{ ...shared, subject: "CATEGORY", subjectId: category!["id"] },
      changes: shownChanges(undefined, category),
    },
    {
      ...{ ...shared, subject: "PRODUCT", subjectId: before!["id"] },
      changes: shownChanges(undefined, before),
    },
  ]);
  expect(await imported("2.00")).toEqual([]);
  const dearer = await imported("3.00");
  expect(dearer).toMatchObject([
    { ...shared, subject: "PRODUCT", changes: [change("price", "2.00", "3.00")] },
  ]);
  const { left } = await leftBy(app, async () => {
    await run(["catalogue", "import", folder.write("dry.csv", file("4.00")), "--dry-run"]);
    const wrong = folder.write("wrong.csv", file("5.00", "product,,,maybe,,nowhere,x,"));
    const environment = { DATABASE_URL: app.database.url };
    expect((await tea(["catalogue", "import", wrong], { environment })).exitCode).toBe(1);
  });
  expect(left).toEqual([]);
  const piped = await leftBy(app, () =>
    run("catalogue import - --format csv", { input: file("6.00") }),
  );
  expect(piped.left).toMatchObject([{ ...by("catalogue import"), source: "standard input" }]);
});
