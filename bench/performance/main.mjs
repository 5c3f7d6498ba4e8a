// Measures the service beside what one would write by hand, and beside others; docs/performance.md has the options:
// npm run bench -- [--quick] [--path products,orders] [--contenders service,floor] [--rounds 7]
import { Cleanup } from "../support/cleanup.mjs";
import { readOptions } from "./options.mjs";
import { run } from "./run.mjs";

const options = optionsOrExit();
const cleanup = new Cleanup();
cleanup.runAtSignals();

try {
  await run(options, cleanup);
} finally {
  await cleanup.run();
}
process.exit();

function optionsOrExit() {
  try {
    return readOptions();
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}
