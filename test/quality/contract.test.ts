/** @check */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const scripts = path.resolve(__dirname, "../../scripts");

type Files = Readonly<Record<string, string>>;

/** A contract of two clauses, their tests, and a document and a module that refer to them. */
const lawful: Files = {
  "docs/contract.md": page(["4.orders.1", "One."], ["4.orders.2", "Two."]),
  "test/conformance/section-4-orders.test.ts": tests("4.orders.1"),
  "test/idempotency/keys.test.ts": tests("4.orders.2"),
  "src/orders.ts": pointer("4.orders.2"),
  "README.md":
    "# Shop\n\n[One](docs/contract.md#4.orders.1), [itself](#shop), [it](https://it.example)\n",
};

function page(...clauses: readonly (readonly [id: string, text: string])[]): string {
  const items = clauses.map(([id, text]) => `- <a id="${id}"></a>**${id}** ${text}\n`);
  return `# The contract\n\n## 4. Endpoints\n\n${items.join("")}`;
}

function tests(id: string): string {
  return `import { clause } from "../support/clause";\nclause("${id}", "it is shown", () => {});\n`;
}

/** A comment that refers to a clause. It is joined, so that the check does not find a reference in this file. */
function pointer(id: string): string {
  return `/** The rule (${["contract", id].join(" ")}). */\n`;
}

function planted(files: Files): string {
  const root = mkdtempSync(path.join(tmpdir(), "contract-"));
  for (const [file, text] of Object.entries({ ...lawful, ...files })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

/** The result of a function of the scripts for each tree, or the message of its error, by the trees' names. */
function said(
  script: string,
  name: string,
  trees: Readonly<Record<string, Files>>,
): Record<string, unknown> {
  const roots = Object.values(trees).map(planted);
  const url = pathToFileURL(path.join(scripts, script)).href;
  const program = `
    import { ${name} } from ${JSON.stringify(url)};
    const said = (root) => {
      try { return ${name}(root); } catch (error) { return error.message; }
    };
    console.log(JSON.stringify(process.argv.slice(1).map(said)));`;
  try {
    const answer = execFileSync(
      process.execPath,
      ["--input-type=module", "-e", program, ...roots],
      { encoding: "utf8" },
    );
    const all = JSON.parse(answer) as unknown[];
    return Object.fromEntries(Object.keys(trees).map((tree, index) => [tree, all[index]]));
  } finally {
    for (const root of roots) rmSync(root, { recursive: true });
  }
}

type Planted = Readonly<Record<string, readonly [files: Files, fault: string]>>;

const filesOf = (cases: Planted): Record<string, Files> =>
  Object.fromEntries(Object.entries(cases).map(([label, [files]]) => [label, files]));

const refused: Planted = {
  "a clause that nothing proves": [
    { "test/idempotency/keys.test.ts": "" },
    "docs/contract.md:6: no test shows 4.orders.2",
  ],
  "a clause that only npm run check proves": [
    { "test/idempotency/keys.test.ts": `/** @check */\n${tests("4.orders.2")}` },
    "docs/contract.md:6: only npm run check shows 4.orders.2 at REST",
  ],
  "a clause that only npm run check proves by graphqlClause": [
    {
      "test/graphql/keys.test.ts": `/** @check */\n${tests("4.orders.2").replace("\nclause", "\ngraphqlClause")}`,
    },
    "docs/contract.md:6: only npm run check shows 4.orders.2 at GraphQL",
  ],
  "a test of a clause that is not there": [
    { "test/other.test.ts": tests("4.orders.9") },
    "test/other.test.ts:2: docs/contract.md has no clause 4.orders.9",
  ],
};

test("clauses without a test, and tests without a clause, are found", () => {
  const found = said("contract.mjs", "unproven", { lawful: {}, ...filesOf(refused) });
  for (const [label, [, fault]] of Object.entries(refused)) {
    expect([label, [found[label]].flat()]).toEqual([label, [fault]]);
  }
  expect(found.lawful).toEqual([]);
});

const dead: Planted = {
  "a pointer in code": [
    { "src/bad.ts": `\n${pointer("4.orders.9")}` },
    "src/bad.ts:2: docs/contract.md has no clause 4.orders.9",
  ],
  "a page in place of a clause": [
    { "src/bad.ts": "/** The rule (spec.md section 4). */\n" },
    "src/bad.ts:1: spec.md is no clause",
  ],
  "a link to a file that is not there": [
    { "docs/bad.md": "\n[Shop](../src/shop.ts)\n" },
    "docs/bad.md:2: nothing is at ../src/shop.ts",
  ],
  "a link to a heading that is not there": [
    { "docs/bad.md": "# Bad\n\n```\n# Good\n```\n\n[Good](#good)\n" },
    "docs/bad.md:7: nothing is at #good",
  ],
};

test("pointers that lead nowhere are found, and no others", () => {
  const group = { "src/group.ts": pointer("4.orders") };
  const found = said("pointers.mjs", "deadPointers", { lawful: {}, group, ...filesOf(dead) });
  for (const [label, [, fault]] of Object.entries(dead)) {
    expect([label, found[label]]).toEqual([label, [fault]]);
  }
  expect([found.lawful, found.group]).toEqual([[], []]);
});
