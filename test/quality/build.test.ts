import { execFile, execFileSync } from "node:child_process";
import {
  chmod,
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
import { brotliDecompressSync } from "node:zlib";

const root = path.resolve(__dirname, "../..");
let project: string;

const node = promisify((args: string[], done: (error: Error | null, output: string) => void) => {
  execFile(process.execPath, args, { cwd: project }, (error, output) => done(error, output));
});
const build = (): Promise<string> => node(["scripts/build.mjs"]);
/** Makes the build believe that its output goes to a terminal. */
const inTerminal = path.join(root, "test/support/as-terminal.cjs");
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
  for (const name of ["scripts/build.mjs", ".swcrc", "package.json", "package-lock.json"]) {
    await cp(path.join(root, name), place(name));
  }
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
  const said = (before: string[], user = {}): Promise<string> =>
    saidBy(process.execPath, [...before, "scripts/build.mjs"], user);

  test("where Node is too old", async () => {
    const old = `Object.defineProperty(process, "version", { value: "v20.9.0" })`;
    await write("old.cjs", old);
    expect(await said(["--require", "./old.cjs"])).toBe(
      "1 This is Node v20.9.0; the tea shop needs Node 20.19 or later.\n",
    );
  });

  test("where packages are not installed", async () => {
    await rm(place("node_modules"));
    expect(await said([])).toMatch(
      /^1 [0-9]+ packages can't be found in node_modules: run npm ci\.\n$/,
    );
  });

  test("where they are not installed, by each command that needs them or the build", async () => {
    await rm(place("node_modules"));
    const commands = ["bench", "contracts", "start:prod"];
    const sentences = [];
    for (const command of commands) {
      sentences.push(await saidBy("npm", ["run", "--silent", command]));
    }
    const missing = expect.stringMatching(
      /^1 [0-9]+ packages can't be found in node_modules: run npm ci\.\n$/,
    );
    const noBuild = "1 There is no build: run npm ci && npm run build.\n";
    expect(sentences).toEqual(
      commands.map((command) => (command === "start:prod" ? noBuild : missing)),
    );
  });

  test("where the checkout can't be written", async () => {
    await chmod(project, 0o555);
    const isRoot = process.getuid?.() === 0;
    const told = await said([], isRoot ? { uid: 65_534 } : {});
    await chmod(project, 0o755);
    expect(told).toMatch(
      /^1 dist can't be written \(EACCES: [^\n]+\): see who owns this checkout, and whether its disk has room\.\n$/,
    );
  });
});

test("compiles what is TypeScript and copies what is data", async () => {
  await build();

  expect(Object.keys(await built()).sort()).toEqual([
    "build-id",
    ...["entry.js", "entry.js.map"],
    "release.json",
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
  expect(kept.sort()).toEqual(["release.json", "tea/index.js", "tea/index.js.map"]);
  expect(await entry()).toEqual({ tea: "Keemun", size: 2 });
});

test("tells a terminal when it compiles, and otherwise says nothing", async () => {
  expect(await build()).toBe("");
  await rm(place("dist"), { recursive: true });
  const shown = () => node(["--require", inTerminal, "scripts/build.mjs"]);
  expect(await shown()).toMatch(/^ {2}Building …\n {2}Built 2 files in [0-9.]+ s\n$/);
  expect(await shown()).toBe("");
});

test("adds the files of packages to a page, and compresses what browsers load", async () => {
  const list = { "assets/react.js": "react/umd/react.production.min.js" };
  await write("src/page/static/packages.json", JSON.stringify(list));
  await write("src/page/static/page.html", "<p>Tea");
  await write("src/page/static/assets/page.css", "p { color: green }");
  await build();
  const before = await built();
  await build();

  expect(await built()).toEqual(before);
  expect(Object.keys(before).filter((name) => name.startsWith("page/"))).toEqual(
    expect.arrayContaining([
      "page/static/page.html",
      ...["page/static/assets/page.css", "page/static/assets/page.css.br"],
      ...["page/static/assets/react.js", "page/static/assets/react.js.br"],
    ]),
  );
  for (const name of ["page.css", "react.js"]) {
    const compressed = await readFile(place(`dist/page/static/assets/${name}.br`));
    const plain = await readFile(place(`dist/page/static/assets/${name}`));
    expect(brotliDecompressSync(compressed).equals(plain)).toBe(true);
  }
});

test("takes the fonts out of a package's stylesheet, and writes it once", async () => {
  const list = { "assets/graphiql.css": "graphiql/graphiql.min.css" };
  await write("src/page/static/packages.json", JSON.stringify(list));
  await build();
  const before = await built();
  await build();

  expect(await built()).toEqual(before);
  const text = await readFile(place("dist/page/static/assets/graphiql.css"), "utf8");
  expect(text).toContain(".graphiql-container");
  expect(text).not.toContain("@font-face");
});

test("fails and names the file of a package that is not there", async () => {
  await write("src/page/static/packages.json", `{ "assets/tea.js": "tea/tea.js" }`);

  await expect(build()).rejects.toThrow("node_modules/tea/tea.js");
});

test("writes everything again with another compiler or other options", async () => {
  await build();
  const before = await built();
  await write(".swcrc", `${await readFile(place(".swcrc"), "utf8")}\n`);
  await build();

  const after = await built();
  expect(after["entry.js"]).not.toBe(before["entry.js"]);
});

test("identifies the build by its sources, packages and options", async () => {
  const ids: string[] = [];
  for (const name of ["src/tea/teas.json", "src/entry.ts", "package-lock.json", ".swcrc"]) {
    await write(name, `${await readFile(place(name), "utf8")}\n`);
    await build();
    ids.push(await readFile(place("dist/build-id"), "utf8"));
  }
  await build();

  expect(new Set(ids).size).toBe(4);
  expect(await readFile(place("dist/build-id"), "utf8")).toBe(ids.at(-1));
});

test("says which version and commit it is", async () => {
  const { version } = JSON.parse(await readFile(place("package.json"), "utf8"));
  const release = async (): Promise<unknown> => {
    await build();
    return JSON.parse(await readFile(place("dist/release.json"), "utf8"));
  };
  expect(await release()).toEqual({ version, commit: "unknown" });

  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: project,
      encoding: "utf8",
    });
  git("init", "--quiet");
  expect(await release()).toEqual({ version, commit: "unknown" });
  git("commit", "--quiet", "--allow-empty", "--message", "Begin");
  const commit = git("rev-parse", "HEAD").slice(0, 12);
  expect(await release()).toEqual({ version, commit });
});

test("mends what is missing or damaged", async () => {
  await build();
  await rm(place("dist/entry.js.map"));
  await rm(place("dist/tea/teas.json"));
  await write("dist/tea/index.js", "exports.tea =");
  await build();

  expect(Object.keys(await built())).toHaveLength(7);
  expect(await entry()).toEqual({ tea: "Assam", size: 1 });
});

test("removes what has lost its source, which could be loaded in the place of a folder's index", async () => {
  await write("dist/tea.js", `exports.tea = "Stale";`);
  await write("dist/tea/old.json", "{}");
  await build();

  expect(Object.keys(await built())).toHaveLength(7);
  expect(await entry()).toEqual({ tea: "Assam", size: 1 });
});

test("builds beside each other all end well, and so does what reads meanwhile", async () => {
  await build();
  await write("src/entry.ts", `export { tea } from "./tea";\nexport const size = 3;\n`);

  await Promise.all([build(), build(), entry(), build(), entry()]);

  expect(Object.keys(await built())).toHaveLength(7);
  expect(await entry()).toEqual({ tea: "Assam", size: 3 });
});

test("fails and names the file that is not TypeScript", async () => {
  await write("src/tea/index.ts", "export const tea = ;");

  await expect(build()).rejects.toThrow("src/tea/index.ts");
});

test("bundles the explorer's client with what it imports, but for what its page loads", async () => {
  await write("src/explorer/client/main.ts", `import { tea } from "./tea";\nconsole.log(tea);\n`);
  await write(
    "src/explorer/client/tea.ts",
    `import { version } from "react";\nexport const tea: string = version;\n`,
  );
  await build();
  const before = await built();
  await build();
  expect(await built()).toEqual(before);

  const name = "explorer/static/assets/explorer.js";
  const run = `globalThis.React = { version: "of the page" }; await import("./dist/${name}")`;
  await write("dist/package.json", `{ "type": "module" }`);
  expect(await node(["--input-type=module", "--eval", run])).toBe("of the page\n");
  const plain = await readFile(place(`dist/${name}`));
  expect(brotliDecompressSync(await readFile(place(`dist/${name}.br`))).equals(plain)).toBe(true);

  await write("src/explorer/client/tea.ts", `export const tea = "Keemun";\n`);
  await build();
  expect(await readFile(place(`dist/${name}`), "utf8")).toContain("Keemun");
  await write("src/explorer/client/tea.ts", `export const tea = ;\n`);
  await expect(build()).rejects.toThrow("tea.ts");
});
