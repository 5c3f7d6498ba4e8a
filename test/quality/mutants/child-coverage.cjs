// Preloaded into processes that tests start: leaves which mutants they have met.
const { writeFileSync } = require("node:fs");
const path = require("node:path");

globalThis.__stryker__ = { isCounting: true };
process.on("exit", () => {
  const met = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
  const file = `${process.pid}-${process.hrtime.bigint()}.json`;
  if (met.length > 0)
    writeFileSync(path.join(process.env.MUTANT_COVERAGE, file), JSON.stringify(met));
});
