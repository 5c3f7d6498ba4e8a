// Preloaded into processes that tests start: writes down which mutants they have executed. Many of these processes
// are killed, so it does not wait for their end.
const { renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const switchboard = (globalThis.__stryker__ = { isCounting: true });
const file = path.join(process.env.MUTANT_COVERAGE, `${process.hrtime.bigint()}.json`);
let left = 0;

function leave() {
  const met = Object.keys(switchboard.mutantCoverage?.static ?? {});
  if (met.length === left) return;
  left = met.length;
  writeFileSync(`${file}.part`, JSON.stringify(met));
  renameSync(`${file}.part`, file); // a killed process leaves no half file
}

setInterval(leave, 50).unref();
process.on("exit", leave);
