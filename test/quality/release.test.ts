import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { repeatsAll } from "../support/repetitions";
import { askScript } from "./ask-script";

const root = path.resolve(__dirname, "../..");
/** In milliseconds. The contracts check reads the whole project, which takes tens of seconds on a busy machine. */
const TIMEOUT = 300_000;
const WHOLE = readdirSync(root).filter(
  (name) => ![".git", "node_modules", "coverage", ".data", ".tmp"].includes(name),
);

let project: string;

const read = (name: string): string => readFileSync(path.join(project, name), "utf8");
const write = (name: string, text: string): void => writeFileSync(path.join(project, name), text);

function edit(name: string, find: string, replacement: string): void {
  expect(read(name).split(find)).toHaveLength(2);
  write(name, read(name).replace(find, replacement));
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Outcome {
  return spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
}

const release = (version: string): Outcome => run("scripts/release.mjs", version);

function git(...args: readonly string[]): string {
  const settings = ["user.name=t", "user.email=t@t", "core.hooksPath=/dev/null"];
  const options = [...settings, "commit.gpgSign=false"].flatMap((each) => ["-c", each]);
  return execFileSync("git", [...options, ...args], { cwd: project, encoding: "utf8" });
}

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", "Change the shop");
}

/** Makes a repository with these files and folders of this repository. */
function startWith(names: readonly string[]): void {
  project = mkdtempSync(path.join(tmpdir(), "tea-shop-release-"));
  const filter = (source: string): boolean => path.basename(source) !== "node_modules";
  for (const name of names) {
    const options = { recursive: true, preserveTimestamps: true, filter };
    cpSync(path.join(root, name), path.join(project, name), options);
  }
  symlinkSync(path.join(root, "node_modules"), path.join(project, "node_modules"));
  git("init", "--quiet");
  commit();
}

const remove = (): void => rmSync(project, { recursive: true });

describe("of the whole project", () => {
  beforeAll(() => {
    startWith(WHOLE);
    git("tag", "begun");
  });
  afterEach(() => {
    git("reset", "--quiet", "--hard", "begun");
    git("clean", "--quiet", "--force", "-d");
  });
  afterAll(remove);

  test(
    "a break is refused, even if code and committed contracts are changed together",
    () => {
      const field = '  @Field({ description: "The name in addresses; unique." })\n';
      edit("src/graphql/schema/types/category.ts", field, "");
      edit("src/services/orders/inputs/place-order-input.ts", "MAX_ITEMS = 100", "MAX_ITEMS = 50");
      run("scripts/build.mjs");
      const breaks = [
        "schema.graphql breaks clients of 0.1.0: Category.slug: Field 'slug' was removed from object type 'Category' (FIELD_REMOVED)",
        "openapi.json breaks clients of 0.1.0: POST /orders, body: maxItems was 100 and is 50 (request-bound-tightened, #/components/schemas/PlaceOrderInput/properties/items)",
      ];

      // The release below makes the same check, which takes seconds.
      if (repeatsAll) {
        const { status, stderr } = run("scripts/contracts.mjs");
        expect([status, stderr.trim().split("\n")]).toEqual([1, breaks]);
        expect(git("status", "--porcelain", "--", "*.graphql", "*.json")).toBe("");
      }

      const slug = '  """\n  The name in addresses; unique.\n  """\n  slug: String!\n\n';
      const [category, product] = read("schema.graphql").split(slug);
      write("schema.graphql", read("schema.graphql").replace(slug, ""));
      expect(category).toMatch(/type Category \{[^}]*$/);
      expect(product).toContain("type Product {");
      edit("schema.graphql", "1 to 100 items.", "1 to 50 items.");
      edit("openapi.json", "1 to 100 items.", "1 to 50 items.");
      edit("openapi.json", '"maxItems": 100,', '"maxItems": 50,');
      commit();
      const refused = release("0.2.0");
      expect([refused.status, refused.stderr.trim().split("\n")]).toEqual([
        1,
        [...breaks, "npm run --silent contracts:check failed; nothing is released"],
      ]);
      expect(git("status", "--porcelain")).toBe("");
    },
    TIMEOUT,
  );

  test(
    "a release freezes its contracts, which are the baseline of the next",
    () => {
      const told = /(?<=## \[Unreleased\]\n\n).*?(?=\n*$|\n*\n## )/s.exec(read("CHANGELOG.md"))![0];
      expect(told).not.toBe("");

      const { status, stdout } = release("0.2.0");
      expect([status, stdout]).toEqual([0, expect.stringContaining("git tag --annotate v0.2.0")]);

      expect(
        git("status", "--porcelain", "--untracked-files=all")
          .trim()
          .split(/\s*\n\s*/),
      ).toEqual([
        ...["CHANGELOG.md", "contracts/SHA256SUMS", "openapi.json"].map((name) => `M ${name}`),
        ...["package-lock.json", "package.json"].map((name) => `M ${name}`),
        ...["openapi.json", "schema.graphql"].map((name) => `?? contracts/0.2.0/${name}`),
      ]);
      expect(JSON.parse(read("package.json"))).toMatchObject({ version: "0.2.0" });
      expect(JSON.parse(read("package-lock.json"))).toMatchObject({ version: "0.2.0" });
      expect(JSON.parse(read("openapi.json"))).toMatchObject({ info: { version: "0.2.0" } });
      expect(read("contracts/0.2.0/openapi.json")).toBe(read("openapi.json"));
      expect(read("contracts/0.2.0/schema.graphql")).toBe(read("schema.graphql"));
      const day = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
      expect(read("CHANGELOG.md")).toMatch(
        new RegExp(`^## \\[Unreleased\\]\n\n## \\[0\\.2\\.0\\] - ${day}\n\n(?!\n)`, "m"),
      );
      expect(read("CHANGELOG.md")).toContain(told);
      expect(askScript("breaking/frozen.mjs", "frozenFaults", [[project]])).toEqual([[]]);
    },
    TIMEOUT,
  );
});

describe("of what comes first", () => {
  beforeAll(() => startWith(["scripts", "contracts", "package.json", "CHANGELOG.md"]));
  afterAll(remove);

  test(
    "a release is refused for its version, its changelog and changes that are not committed",
    () => {
      const refusals = {
        "0.2": "0.2 is no version of a release, such as 0.2.0",
        "v0.2.0": "v0.2.0 is no version of a release, such as 0.2.0",
        "0.2.0-beta.1": "0.2.0-beta.1 is no version of a release, such as 0.2.0",
        "0.1.0": "0.1.0 is not newer than 0.1.0",
        "0.0.9": "0.0.9 is not newer than 0.1.0",
      };
      for (const [version, message] of Object.entries(refusals)) {
        expect(release(version)).toMatchObject({ status: 1, stderr: `${message}\n` });
      }

      write("new.txt", "");
      expect(release("0.2.0")).toMatchObject({
        status: 1,
        stderr: "There are changes that are not committed; commit or stash them first\n",
      });
      rmSync(path.join(project, "new.txt"));

      write(
        "CHANGELOG.md",
        "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- Tea.\n",
      );
      commit();
      expect(release("0.2.0")).toMatchObject({
        status: 1,
        stderr: "CHANGELOG.md says nothing of this release under Unreleased\n",
      });
      expect(git("status", "--porcelain")).toBe("");
    },
    TIMEOUT,
  );
});
