// Breaks the service on purpose and reports which of its promises hold:
// npm run torture -- [--only 1,3] [--short] [--soak minutes]
import { parseArgs } from "node:util";
import { Cleanup } from "../support/cleanup.mjs";
import { Postgres } from "../support/postgres.mjs";
import { duration, seen, table } from "../support/report.mjs";
import { promises } from "./promises/index.mjs";
import { Stage } from "./stage.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    short: { type: "boolean", default: false },
    soak: { type: "string", default: "5" },
  },
});
const numbers = values.only?.split(",").map(Number) ?? promises.map((_, index) => index + 1);
const options = { short: values.short, soakMinutes: Number(values.soak) };

const cleanup = new Cleanup();
cleanup.runAtSignals();

const results = [];
try {
  const postgres = await Postgres.start(cleanup);
  for (const number of numbers) results.push(await keep(number, postgres));
} finally {
  await cleanup.run();
}
console.log(`\n${table(results)}`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);

async function keep(number, postgres) {
  const { title, run } = promises[number - 1];
  const started = performance.now();
  const local = new Cleanup();
  cleanup.add(() => local.run());
  let outcome;
  try {
    outcome = await run(new Stage(postgres, local), options);
  } catch (fault) {
    outcome = { done: "not finished", findings: [seen(fault.stack, false)] };
  }
  await local.run();
  const passed = outcome.findings.every((each) => each.passed);
  const time = duration(performance.now() - started);
  console.error(`${number}. ${title}: ${passed ? "pass" : "FAIL"} (${time})`);
  for (const each of outcome.findings) console.error(`   ${each.passed ? " " : "!"} ${each.text}`);
  return { number, title, ...outcome, passed };
}
