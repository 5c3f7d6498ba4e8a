/** @check */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(__dirname, "../..");

/** Modules by the rule that each breaks. */
const bad: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "imports-resolve": ["src/rest/missing.ts", 'import "./nowhere";'],
  "models-imports": ["src/models/bad.ts", 'import "../services/orders";'],
  "no-cycles": ["src/services/cycle.ts", 'import "./cycle";'],
  "no-development-packages": ["src/rest/development.ts", 'import "jest";'],
  "no-doors-in-the-core": ["src/services/express.ts", 'import "express";'],
  "rooms-are-known": ["src/room/bad.ts", 'import "../elsewhere/room";'],
  "services-imports": ["src/services/bad.ts", 'import "../rest/rest";'],
};
const lawful: Readonly<Record<string, string>> = {
  "src/rest/rest.ts": 'import "express"; import "../services/orders";',
  "src/services/orders.ts": "",
  "src/elsewhere/room.ts": "",
  "package.json": '{ "dependencies": { "express": "1" }, "devDependencies": { "jest": "1" } }',
  "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }',
  "node_modules/express/index.js": "",
  "node_modules/jest/index.js": "",
};

test("the import rules refuse what breaks them, and nothing else", () => {
  const tree = realpathSync(mkdtempSync(path.join(tmpdir(), "import-rules-")));
  for (const [file, text] of [...Object.values(bad), ...Object.entries(lawful)]) {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  }
  const cruiser = path.join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const rules = path.join(root, ".dependency-cruiser.cjs");
  const args = [cruiser, "src", "--config", rules, "--output-type", "json"];
  const answer = execFileSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
  rmSync(tree, { recursive: true });
  const { summary } = JSON.parse(answer) as {
    summary: { violations: { rule: { name: string }; from: string }[] };
  };
  const found = summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  expect(found.sort()).toEqual(Object.entries(bad).map(([rule, [file]]) => `${rule}: ${file}`));
});
