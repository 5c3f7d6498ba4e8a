import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

/** The files and folders that the tests and the gates read. */
const CONTENT = [
  ...["src", "test", "scripts", "migrations", "deploy", "docs", "bench", "contracts", "examples"],
  ...[
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    ".swcrc",
    "jest.config.js",
    "eslint.config.mjs",
  ],
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...[".dependency-cruiser.cjs", "schema.graphql", "openapi.json", ".env.example"],
  ...["redocly.yaml", ".redocly.lint-ignore.yaml"],
];

/** What test files import that start programs of the build. */
const STARTS_BUILD = /support\/(service|local-service|built-release)"|\bdist\//;

/** The tests of pages, which come from the build. */
const BROWSER = "test/browser/";

const UNTIL_FAILURE = "<rootDir>/test/support/jest/until-failure.js";

/** Whether a fault can be planted: its text occurs exactly once, and all its tests exist. */
export function fits(root, { file, find, tests }) {
  const paths = [file, ...tests].map((name) => path.join(root, name));
  return (
    paths.every((each) => existsSync(each)) &&
    readFileSync(path.join(root, file), "utf8").split(find).length === 2
  );
}

/** A copy of the project, in which faults are planted. */
export class Copy {
  constructor(root) {
    this.folder = mkdtempSync(path.join(tmpdir(), "planted-faults-"));
    chmodSync(this.folder, 0o755); // if this runs as root, the database runs as another user
    for (const name of CONTENT) {
      cpSync(path.join(root, name), path.join(this.folder, name), {
        recursive: true,
        filter: (source) => path.basename(source) !== "node_modules",
      });
    }
    symlinkSync(path.join(root, "node_modules"), path.join(this.folder, "node_modules"));
  }

  /** Plants faults, each in another file, while `use` runs. */
  async with(faults, use) {
    const originals = faults.map(({ file }) => this.read(file));
    faults.forEach(({ file, find, replace }, place) =>
      this.write(
        file,
        originals[place].replace(find, () => replace),
      ),
    );
    try {
      return await use(this);
    } finally {
      faults.forEach(({ file }, place) => this.write(file, originals[place]));
    }
  }

  /** The errors of types and lint in the files of these faults; empty if there are none. */
  async gates(faults) {
    const types = await this.run("node_modules/typescript/bin/tsc", ["--project", "tsconfig.json"]);
    const files = faults.map(({ file }) => file);
    const lint = await this.run("node_modules/eslint/bin/eslint.js", [
      "--max-warnings",
      "0",
      "--no-warn-ignored", // a migration has no lint
      ...files,
    ]);
    return [types, lint].map(({ exitCode, output }) => (exitCode === 0 ? "" : output)).join("");
  }

  /**
   * Runs test files, after a build if they start programs or pages of it, or need one for another reason (`built`). Returns the
   * first test that fails in each file; none if all pass. `untilFailure` leaves out what comes after that.
   */
  async test(files, { built = false, untilFailure = false } = {}) {
    const needsBuild = (file) => file.startsWith(BROWSER) || STARTS_BUILD.test(this.read(file));
    if (built || files.some(needsBuild)) await this.build();
    const json = path.join(this.folder, "outcome.json");
    rmSync(json, { force: true });
    // A failed test may leave something open that would keep the process alive.
    const options = ["--json", "--outputFile", json, "--maxWorkers", "1", "--forceExit"];
    if (untilFailure) options.push("--testEnvironment", UNTIL_FAILURE);
    const { exitCode, output } = await this.run("node_modules/jest/bin/jest.js", [
      ...options,
      ...files,
    ]);
    if (exitCode === 0) return [];
    if (!existsSync(json)) throw new Error(`The tests did not run:\n${output}`);
    const { testResults } = JSON.parse(readFileSync(json, "utf8"));
    const failed = testResults.filter(({ status }) => status === "failed");
    if (failed.length === 0) throw new Error(`The tests did not run:\n${output}`);
    return failed.map(({ name, assertionResults }) => {
      const test = assertionResults.find(({ status }) => status === "failed");
      return { file: path.relative(this.folder, name), test: test?.fullName ?? "the whole file" };
    });
  }

  /** The files below a folder, by their paths in the project. */
  list(folder) {
    const entries = readdirSync(path.join(this.folder, folder), {
      recursive: true,
      withFileTypes: true,
    });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  async build() {
    const { exitCode, output } = await this.run("scripts/build.mjs", []);
    if (exitCode !== 0) throw new Error(`The copy does not build:\n${output}`);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  read(file) {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  write(file, content) {
    writeFileSync(path.join(this.folder, file), content);
  }

  async run(program, args) {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.folder,
      env: { ...process.env, TEST_REPETITIONS: "all" }, // as `npm run check` has it
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    const [exitCode, ...outputs] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { exitCode, output: outputs.join("") };
  }
}
