// Runs the tests on every supported version of Node: npm run rehearse -- node [--versions 20,24] [--tests path]
import path from "node:path";
import { parseArgs } from "node:util";
import { folderOfNode, NODE_MAJORS } from "./support/node-versions.mjs";
import { part } from "./support/part.mjs";
import { environment, program, ROOT } from "./support/program.mjs";
import { seen, since } from "./support/say.mjs";

const { values } = parseArgs({
  options: {
    versions: { type: "string", default: NODE_MAJORS.join() },
    tests: { type: "string", multiple: true, default: [] },
  },
});

await part(async () => {
  for (const major of values.versions.split(",")) await test(folderOfNode(major));
});

async function test(folder) {
  const node = path.join(folder, "node");
  const options = {
    cwd: ROOT,
    env: { ...environment(), PATH: `${folder}${path.delimiter}${process.env.PATH}` },
  };
  const version = (await program(node, ["--version"])).trim();
  const started = performance.now();
  await program(node, ["scripts/build.mjs"], options);
  try {
    const output = await program(node, ["node_modules/jest/bin/jest.js", ...values.tests], options);
    seen(`Node ${version} in ${since(started)}: ${/^Tests: +(.*)$/m.exec(output)?.[1]}`);
  } catch (error) {
    seen(`Node ${version} in ${since(started)}: ${error.message}`, false);
  }
}
