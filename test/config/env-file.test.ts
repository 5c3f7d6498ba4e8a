import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readEnvFile } from "../../src/config/env-file";
import { startProcess } from "../support/process";

const SETTINGS = [
  ...["PORT", "HOST", "LOG_LEVEL", "LOGIN_TTL", "JWT_SECRET", "JWT_TTL"],
  ...["DATA_DIR", "DATABASE_URL"],
];
const read = (text: string) => readEnvFile(text, SETTINGS);

test("takes what Node takes: comments, quotes, values of several lines, an export, a byte order mark", () => {
  const lines = [
    "\uFEFF# The shop",
    "",
    "PORT=4202 # its port",
    "  export HOST = '::1'",
    'NOTE="first line',
    "PROT:1 is part of the note",
    'last line"',
    "EMPTY=",
    "SHOP_DATABASE_PASSWORD=`a'b`",
  ];
  for (const end of ["\n", "\r\n"]) {
    expect(read(lines.join(end))).toEqual({
      variables: {
        PORT: "4202",
        HOST: "::1",
        NOTE: "first line\nPROT:1 is part of the note\nlast line",
        EMPTY: "",
        SHOP_DATABASE_PASSWORD: "a'b",
      },
      faults: [],
    });
  }
});

test.each([
  ["two letters that are swapped", "PROT", "PORT"],
  ["a letter that is missing", "LOG_LEVL", "LOG_LEVEL"],
  ["a letter too many", "HOSTS", "HOST"],
  ["another letter", "JWT_TTK", "JWT_TTL"],
  ["small letters", "jwt_secret", "JWT_SECRET"],
  ["two mistakes in a long name", "DATBASE_ULR", "DATABASE_URL"],
])("names the setting that was meant: %s", (_, name, meant) => {
  expect(read(`# The shop\n${name}=x`).faults).toEqual([
    `Line 2 of .env sets ${name}, which is no setting; is it ${meant}?`,
  ]);
});

test.each([
  ...["NODE_ENV", "HOSTNAME", "POSTGRES_PASSWORD", "DATABASE", "TZ", "A"],
  ...["DB_HOST", "DB_PORT", "DBHOST", "PGHOST", "PGPORT", "PG_PORT", "UI_PORT", "WS_PORT"],
  ...["DATABASE_SSL", "JWT_URL", "LOG_TTL"],
])("leaves %s to other programs", (name) => expect(read(`${name}=x`).faults).toEqual([]));

test.each([
  ["PORT:4202", "PORT"],
  ["  export JWT_SECRT s3cr3t", "JWT_SECRET"],
  ["DATABASE_URL", "DATABASE_URL"],
])("names the setting that was meant by a line that sets nothing: %s", (line, meant) => {
  expect(read(`${line}\nHOST=::1`)).toEqual({
    variables: { HOST: "::1" },
    faults: [
      `Line 1 of .env sets nothing: it must be NAME=value or # a comment; is it ${meant}=…?`,
    ],
  });
});

test.each(["PGPORT:5432", "s3cr3t", "'s3cr3t'", "=s3cr3t", "PORTS3CR3T"])(
  "guesses at no setting by a line that begins with another word: %s",
  (line) => {
    expect(read(line).faults).toEqual([
      "Line 1 of .env sets nothing: it must be NAME=value or # a comment",
    ]);
  },
);

test("an unfinished quote hides no later line", () => {
  expect(read(`PORT="1\nPROT=2`).faults).toHaveLength(1);
});

test("a start tells all that is wrong with .env and with settings at once, without a value, and opens nothing", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-env-"));
  const text = "PORT:4202\nLOG_LEVEL=s3cr3t\nJWT_SECRET:s3cr3t\nLOG_LEVL=s3cr3t\n";
  await writeFile(path.join(folder, ".env"), text);
  const entries = ["local/main.js", "main.js", "cli/main.js"];
  const ended = entries.map(async (entry) => {
    const args = [path.join(__dirname, "../../dist", entry), "lists", "check"];
    const child = startProcess(args, { cwd: folder, env: { DATA_DIR: folder } });
    const { code } = await child.ended;
    return { code, printed: child.printed() };
  });
  const faults = [
    "Line 1 of .env sets nothing: it must be NAME=value or # a comment; is it PORT=…?",
    "Line 3 of .env sets nothing: it must be NAME=value or # a comment; is it JWT_SECRET=…?",
    "Line 4 of .env sets LOG_LEVL, which is no setting; is it LOG_LEVEL?",
    "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
  ];
  const [local, production, command] = await Promise.all(ended);
  expect(local).toEqual({ code: 1, printed: `${faults.join("\n")}\n` });
  expect(command).toEqual({ code: 1, printed: `error: ${faults.join("; ")}\n` });
  const missing = ["DATABASE_URL", "JWT_SECRET"].map((name) =>
    expect.stringMatching(`^${name} must be set: `),
  );
  const { code, printed } = production!;
  expect([code, ...printed.trimEnd().split("\n")]).toEqual([1, ...faults, ...missing]);
  await rm(folder, { recursive: true });
});

test("what the environment sets holds, not what .env sets, and an empty variable switches its setting off", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-env-"));
  const file = {
    DATABASE_URL: "postgres://shop@127.0.0.1:1/production",
    JWT_SECRET: "a secret of thirty-two characters",
    LOG_LEVEL: "info",
  };
  const lines = Object.entries(file).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(path.join(folder, ".env"), lines.join(""));
  const child = startProcess([path.join(__dirname, "../../dist/main.js")], {
    cwd: folder,
    env: { DATABASE_URL: "", LOG_LEVEL: "verbose" },
  });
  expect((await child.ended).code).toBe(1);
  expect(child.printed().trimEnd().split("\n")).toEqual([
    "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
    expect.stringMatching("^DATABASE_URL must be set: "),
  ]);
  await rm(folder, { recursive: true });
});
