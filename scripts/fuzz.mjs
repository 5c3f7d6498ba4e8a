// A longer run of the property-based tests in test/fuzz: npm run fuzz -- [runs] [seed].
// The seed of a failed run repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

const [runs = "20000", seed = String(randomInt(2 ** 31 - 1))] = process.argv.slice(2);
if (![runs, seed].every((text) => /^\d+$/.test(text))) {
  console.error("usage: npm run fuzz -- [runs] [seed]");
  process.exit(2);
}

console.log(`runs ${runs}, seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  ["node_modules/jest/bin/jest.js", "test/fuzz", "--testTimeout", "3600000"],
  { stdio: "inherit", env: { ...process.env, FUZZ_RUNS: runs, FUZZ_SEED: seed } },
);
process.exitCode = status ?? 1;
