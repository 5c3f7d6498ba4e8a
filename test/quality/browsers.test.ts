/** @check */

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { installed, packaged } from "../support/browsers";
import { runName, RUN_VARIABLE } from "../support/server-url";

jest.setTimeout(120_000);

const root = path.join(__dirname, "../..");
/** What everybody has who has started none of these browsers yet: a program that does not start. */
let home: string;

beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), "tea-shop-browsers-"));
  for (const file of ["google-chrome", "Applications/Chromium.app/Contents/MacOS/Chromium"]) {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), "#!/bin/sh\nexit 1\n");
    chmodSync(path.join(home, file), 0o755);
  }
});

afterAll(() => rmSync(home, { recursive: true }));

/** Runs one browser test in a process of its own, on a machine of which a statement says what it is. */
function runOnMachine(statement: string): Promise<{ code: unknown; printed: string }> {
  const folder = mkdtempSync(path.join(home, "run-"));
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const chromium = JSON.stringify(path.join(root, "test/support/chromium"));
  write(
    "one.test.ts",
    `import { launchChromium } from ${chromium};
     beforeAll(async () => (await launchChromium()).close());
     test("one that needs a browser", () => expect(1).toBe(1));`,
  );
  const config = write(
    "config.js",
    `module.exports = {
       ...require(${JSON.stringify(path.join(root, "jest.config.js"))}),
       rootDir: ${JSON.stringify(root)},
       roots: [${JSON.stringify(folder)}],
       globalSetup: undefined,
       setupFiles: [${JSON.stringify(write("machine.js", statement))}],
     };`,
  );
  const env = {
    HOME: homedir(),
    PATH: `${home}:/usr/bin:/bin`,
    TMPDIR: tmpdir(),
    [RUN_VARIABLE]: `${runName()}_child`,
  };
  const jest = path.join(root, "node_modules/jest/bin/jest.js");
  return new Promise((resolve) => {
    execFile(process.execPath, [jest, "--config", config], { cwd: root, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, printed: out + err }),
    );
  });
}

test("where no browser starts, tests that need one are skipped, and the last line says how to run them", async () => {
  // The other system's places, where this machine has nothing.
  const other = process.platform === "darwin" ? "linux" : "darwin";
  const { code, printed } = await runOnMachine(
    `Object.defineProperties(process, { platform: { value: "${other}" }, arch: { value: "riscv64" } });
     process.env.HOME = ${JSON.stringify(home)};`,
  );
  expect(printed).toMatch(/^Tests: +1 skipped, 1 total$/m);
  const [last = ""] = printed.trimEnd().split("\n").slice(-1);
  expect(last).toMatch(/^Browser tests were skipped, .*\(\S+hrom\S+: .*\)\. .*CHROMIUM_PATH/);
  expect(code).toBe(0);
});

test("a browser that is installed but does not start is passed over", async () => {
  const { code, printed } = await runOnMachine("");
  const isPackaged = (await packaged(process)) !== undefined;
  expect(printed).toMatch(isPackaged ? /^Tests: +1 passed/m : /^Tests: +1 (passed|skipped)/m);
  expect(code).toBe(0);
});

test("a browser that CHROMIUM_PATH names is not passed over", async () => {
  const missing = JSON.stringify(path.join(home, "missing"));
  const { code, printed } = await runOnMachine(`process.env.CHROMIUM_PATH = ${missing};`);
  expect(printed).toMatch(/^Tests: +1 failed/m);
  expect(code).toBe(1);
});

test.each([
  ["linux", "/home/ada/bin/google-chrome"],
  ["linux", "/usr/bin/google-chrome-stable"],
  ["linux", "/usr/bin/chromium"],
  ["linux", "/usr/bin/chromium-browser"],
  ["linux", "/snap/bin/chromium"],
  ["linux", "/usr/bin/microsoft-edge"],
  ["darwin", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  ["darwin", "/home/ada/Applications/Chromium.app/Contents/MacOS/Chromium"],
  ["darwin", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"],
] as const)("a browser is found where %s has it: %s", (platform, file) => {
  const env = { HOME: "/home/ada", PATH: "/home/ada/bin:/usr/bin" };
  expect(installed({ platform, env, exists: (each) => each === file })).toEqual([{ file }]);
});

test.each([
  ["darwin", "arm64"],
  ["darwin", "x64"],
  ["linux", "arm64"],
] as const)("the package's browser is not tried on %s %s", async (platform, arch) => {
  expect(await packaged({ platform, arch })).toBeUndefined();
});
