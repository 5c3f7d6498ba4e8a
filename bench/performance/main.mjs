// Measures the service beside what one would write by hand, and beside others; docs/performance.md has the options:
// npm run bench -- [--quick] [--path products,orders] [--contenders service,floor] [--rounds 7]
import { Cleanup } from "../support/cleanup.mjs";
import { readOptions } from "./options.mjs";
import { report } from "./report.mjs";
import { Run } from "./run.mjs";

const options = optionsOrExit();
const cleanup = new Cleanup();
cleanup.runAtSignals();

try {
  const run = await Run.start(options, cleanup);
  const measured = await run.measure();
  if (!options.isPartial) await report(measured, options);
} finally {
  await cleanup.run();
}
process.exit();

function optionsOrExit() {
  try {
    return readOptions();
  } catch (fault) {
    console.error(fault.message);
    process.exit(2);
  }
}
