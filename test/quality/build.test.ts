/** @check */

import { execFile } from "node:child_process";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(__dirname, "../..");
let project: string;

const node = promisify((args: string[], done: (error: Error | null, output: string) => void) => {
  execFile(process.execPath, args, { cwd: project }, (error, output) => done(error, output));
});
const build = (): Promise<string> => node(["scripts/build.mjs"]);
const place = (name: string): string => path.join(project, name);

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(place(name)), { recursive: true });
  await writeFile(place(name), text);
}

/** The built files, each with a number (its inode) that changes when the file is written again. */
async function built(): Promise<Record<string, number>> {
  const entries = await readdir(place("dist"), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(place("dist"), path.join(parentPath, name)));
  const numbers = files.map(async (name) => [name, (await stat(place(`dist/${name}`))).ino]);
  return Object.fromEntries(await Promise.all(numbers)) as Record<string, number>;
}

/** The exports of the built entry as an ES module sees them: it finds the names without running the code. */
async function entry(): Promise<unknown> {
  const script = `import { size, tea } from "./dist/entry.js"; console.log(JSON.stringify({ size, tea }))`;
  return JSON.parse(await node(["--input-type=module", "--eval", script]));
}

beforeEach(async () => {
  project = await mkdtemp(path.join(tmpdir(), "tea-shop-build-"));
  await cp(path.join(root, "scripts/build"), place("scripts/build"), { recursive: true });
  const files = [
    "scripts/build.mjs",
    "openapi.yaml",
    ".swcrc",
    "package.json",
    "package-lock.json",
  ];
  for (const name of files) await cp(path.join(root, name), place(name));
  await symlink(path.join(root, "node_modules"), place("node_modules"));
  await write("src/entry.ts", `export { tea } from "./tea";\nexport const size: number = 1;\n`);
  await write("src/tea/index.ts", `import teas from "./teas.json";\nexport const tea = teas[0];\n`);
  await write("src/tea/teas.json", `["Assam"]`);
  await write("src/tea/README.md", "Of tea");
});
afterEach(() => rm(project, { recursive: true }));

describe("says in one sentence, and in no more, what a newcomer has to do", () => {
  /** The exit code and the output of a program that fails. */
  const saidBy = (file: string, args: string[], user: { uid?: number } = {}): Promise<string> =>
    new Promise((resolve) => {
      execFile(file, args, { cwd: project, ...user }, (error, out, err) =>
        resolve(`${error?.code} ${out}${err}`),
      );
    });

  test("where Node is too old", async () => {
    await write("old.cjs", `Object.defineProperty(process, "version", { value: "v20.9.0" })`);
    expect(await saidBy(process.execPath, ["--require", "./old.cjs", "scripts/build.mjs"])).toBe(
      "1 This is Node v20.9.0; the tea shop needs Node 20.19 or later.\n",
    );
  });

  test("where packages are not installed, and where there is no build", async () => {
    await rm(place("node_modules"));
    expect(await saidBy("npm", ["run", "--silent", "contracts"])).toMatch(
      /^1 [0-9]+ packages can't be found in node_modules: run npm ci\.\n$/,
    );
    expect(await saidBy("npm", ["run", "--silent", "start:prod"])).toBe(
      "1 There is no build: run npm ci && npm run build.\n",
    );
  });
});

test("compiles what is TypeScript, copies what is data, and removes what has lost its source", async () => {
  await write("dist/tea.js", `exports.tea = "Stale";`); // found before tea/index.js
  await build();
  expect(Object.keys(await built()).sort()).toEqual([
    "build-id",
    ...["entry.js", "entry.js.map"],
    ...["openapi.json", "release.json"],
    ...["tea/index.js", "tea/index.js.map", "tea/teas.json"],
  ]);
  expect(await entry()).toEqual({ tea: "Assam", size: 1 });
});

test("writes only what has changed", async () => {
  await build();
  const before = await built();
  await build();
  expect(await built()).toEqual(before);
  await write("src/entry.ts", `export { tea } from "./tea";\nexport const size = 2;\n`);
  await write("src/tea/teas.json", `["Keemun"]`);
  await build();
  const after = await built();
  const kept = Object.keys(after).filter((name) => after[name] === before[name]);
  expect(kept.sort()).toEqual(["openapi.json", "release.json", "tea/index.js", "tea/index.js.map"]);
  expect(await entry()).toEqual({ tea: "Keemun", size: 2 });
});

test("identifies the build by its sources, packages and options", async () => {
  const ids: string[] = [];
  for (const name of ["src/tea/teas.json", "src/entry.ts", "openapi.yaml", ".swcrc"]) {
    await write(name, `${await readFile(place(name), "utf8")}\n`);
    await build();
    ids.push(await readFile(place("dist/build-id"), "utf8"));
  }
  await build();
  expect(new Set(ids).size).toBe(4);
  expect(await readFile(place("dist/build-id"), "utf8")).toBe(ids.at(-1));
});

test("builds beside each other all end well, and so does what reads meanwhile", async () => {
  await build();
  await write("src/entry.ts", `export { tea } from "./tea";\nexport const size = 3;\n`);
  await Promise.all([build(), build(), entry(), build(), entry()]);
  expect(Object.keys(await built())).toHaveLength(8);
  expect(await entry()).toEqual({ tea: "Assam", size: 3 });
});
