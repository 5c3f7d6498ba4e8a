// Breaks the service on purpose and reports which of its promises hold:
// npm run torture -- [--only 1,3] [--short] [--soak minutes]
import { readdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { Cleanup } from "../support/cleanup.mjs";
import { Postgres } from "../support/postgres.mjs";
import { duration, seen } from "../support/report.mjs";
import { Stage } from "./stage.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    short: { type: "boolean", default: false },
    soak: { type: "string", default: "5" },
  },
});
const options = { short: values.short, soakMinutes: Number(values.soak) };

/** The files of the promises begin with their numbers. */
const FOLDER = path.join(import.meta.dirname, "promises");
const files = new Map((await readdir(FOLDER)).sort().map((file) => [parseInt(file, 10), file]));
const numbers = values.only?.split(",").map(Number) ?? [...files.keys()];

const cleanup = new Cleanup();
cleanup.runAtSignals();
const broken = [];
try {
  const postgres = await Postgres.start(cleanup);
  for (const number of numbers) if (!(await isKept(number, postgres))) broken.push(number);
} finally {
  await cleanup.run();
}
console.log(broken.length === 0 ? "All promises were kept." : `Broken: ${broken.join(", ")}`);
process.exit(broken.length === 0 ? 0 : 1);

async function isKept(number, postgres) {
  const { title, run } = await import(path.join(FOLDER, files.get(number)));
  const started = performance.now();
  const local = new Cleanup();
  cleanup.add(() => local.run());
  const findings = await run(new Stage(postgres, local), options).catch((error) => [
    seen(error.stack, false),
  ]);
  await local.run();
  const passed = findings.every((each) => each.passed);
  const time = duration(performance.now() - started);
  console.log(`${number}. ${title}: ${passed ? "kept" : "BROKEN"} (${time})`);
  for (const each of findings) console.log(`   ${each.passed ? " " : "!"} ${each.text}`);
  return passed;
}
