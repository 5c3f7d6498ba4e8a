// All gates in order, cheapest first; stops at the first that fails.
import "./build/requirements.mjs";
import { spawnSync } from "node:child_process";

const gates = [
  ...["types", "lint", "format:check", "imports", "knip", "contracts:check", "faults:fit"],
  "coverage",
];

for (const [index, gate] of gates.entries()) {
  console.log(`\n[${index + 1}/${gates.length}] ${gate}`);
  const started = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", gate], { stdio: "inherit" });
  if (status !== 0) {
    console.error(`\ncheck stopped: ${gate} failed`);
    process.exit(1);
  }
  console.log(`[${index + 1}/${gates.length}] ${gate} ok, ${elapsed(started)}`);
}
console.log("\nAll gates passed.");

function elapsed(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
