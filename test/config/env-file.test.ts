import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readEnvFile } from "../../src/config";
import { startProcess } from "../support/process";

const FAULT = "A line of .env sets nothing: each must be NAME=value or # a comment";

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
    expect(readEnvFile(lines.join(end))).toEqual({
      variables: {
        PORT: "4202",
        HOST: "::1",
        NOTE: "first line\nPROT:1 is part of the note\nlast line",
        EMPTY: "",
        SHOP_DATABASE_PASSWORD: "a'b",
      },
      issues: [],
    });
  }
});

test.each(["PORT:4202", "  export JWT_SECRET s3cr3t", "DATABASE_URL", "'s3cr3t'"])(
  "a line that sets nothing is found, and not quoted: %s",
  (line) => {
    expect(readEnvFile(`# The shop\n${line}\nHOST=::1`).issues).toEqual([FAULT]);
  },
);

test("a start tells all that is wrong with .env and with settings at once, without a value, and opens nothing", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-env-"));
  const text = "LOG_LEVEL=s3cr3t\nJWT_SECRET:s3cr3t\nHOST=::1\n";
  await writeFile(path.join(folder, ".env"), text);
  const entries = ["local/main.js", "main.js", "cli/main.js"];
  const ended = entries.map(async (entry) => {
    const args = [path.join(__dirname, "../../dist", entry), "migrate", "status"];
    const child = startProcess(args, { cwd: folder, env: { DATA_DIR: folder } });
    const { code } = await child.ended;
    return { code, printed: child.printed() };
  });
  const faults = [FAULT, "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent"];
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
