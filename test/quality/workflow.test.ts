/** @check */

import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(__dirname, "../..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const workflow = read(".github/workflows/ci.yaml");

test("the workflow runs .ci/run and no command beside it", () => {
  const commands = [...workflow.matchAll(/^\s*(?:- )?run: (.*)$/gm)].map(([, command]) => command);
  expect(commands).toEqual(["bash .ci/run"]);
});

test("the workflow runs it on every supported version of Node", () => {
  const [, list = ""] = /^\s*node: (\[.*\])$/m.exec(workflow) ?? [];
  const versions = JSON.parse(list) as string[];
  expect(versions).toEqual(["20.19", "22", "24"]);
  expect(versions[0]).toBe(read(".nvmrc").trim());
  expect(read("package.json")).toContain(`"node": ">=${versions[0]}"`);
});
