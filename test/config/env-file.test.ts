import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readEnvFile } from "../../src/config/env-file";
import { startProcess } from "../support/process";

const SETTINGS = ["PORT", "HOST", "LOG_LEVEL", "JWT_SECRET", "JWT_TTL", "DATABASE_URL"];
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
  ["no underscore", "LOGLEVEL", "LOG_LEVEL"],
  ["two mistakes in a long name", "DATBASE_ULR", "DATABASE_URL"],
])("names the setting that was meant: %s", (_, name, meant) => {
  expect(read(`# The shop\n${name}=x`).faults).toEqual([
    `Line 2 of .env sets ${name}, which is no setting; is it ${meant}?`,
  ]);
});

test.each(["NODE_ENV", "HOSTNAME", "POSTGRES_PASSWORD", "DATABASE", "TZ", "A"])(
  "leaves %s to other programs",
  (name) => expect(read(`${name}=x`).faults).toEqual([]),
);

test("an unfinished quote hides no later line", () => {
  expect(read(`PORT="1\nPROT=2`).faults).toHaveLength(1);
});

test("a start tells each line that sets nothing and each wrong name, without a value, and opens nothing", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-env-"));
  const text = "PORT:4202\nLOG_LEVEL=debug\nJWT_SECRET:s3cr3t\nLOG_LEVL=s3cr3t\n";
  await writeFile(path.join(folder, ".env"), text);
  const entries = ["local/main.js", "main.js", "cli/main.js"];
  const ended = entries.map(async (entry) => {
    const args = [path.join(__dirname, "../../dist", entry), "lists", "check"];
    const child = startProcess(args, { cwd: folder, env: { DATA_DIR: folder } });
    const { code } = await child.ended;
    return { code, printed: child.printed() };
  });
  const faults = [
    "Line 1 of .env sets nothing: it must be NAME=value or # a comment",
    "Line 3 of .env sets nothing: it must be NAME=value or # a comment",
    "Line 4 of .env sets LOG_LEVL, which is no setting; is it LOG_LEVEL?",
  ];
  const [local, production, command] = await Promise.all(ended);
  expect([local, production]).toEqual(
    Array(2).fill({ code: 1, printed: `${faults.join("\n")}\n` }),
  );
  expect(command).toEqual({ code: 1, printed: `error: ${faults.join("; ")}\n` });
  await rm(folder, { recursive: true });
});
