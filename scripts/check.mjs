// All gates: those of one core beside each other, longest first, and then the tests. Stops at the first that fails.
import "./build/requirements.mjs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

const gates = ["lint", "types", "format:check", "contracts:check", "imports", "knip"];
const tests = "coverage";

const npm = (gate) => ["run", "--silent", gate];
const env = process.stdout.isTTY ? { ...process.env, FORCE_COLOR: "1" } : process.env;
const running = new Set();
const waiting = gates.values();
let passed = 0;

console.log(gates.join(", "));
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const gate of waiting) await runBesideOthers(gate);
  }),
);
const started = performance.now();
const { status } = spawnSync("npm", npm(tests), { stdio: "inherit" });
report(tests, status === 0, started);
console.log("\nAll gates passed.");

/** Prints what a gate says when it has ended, so that it does not mix with what others say. */
async function runBesideOthers(gate) {
  const started = performance.now();
  const child = spawn("npm", npm(gate), { env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => said.push(chunk));
  }
  const [status] = await once(child, "close");
  running.delete(child);
  process.stdout.write(Buffer.concat(said));
  report(gate, status === 0, started);
}

function report(gate, hasPassed, started) {
  if (!hasPassed) {
    console.error(`\ncheck stopped: ${gate} failed`);
    for (const child of running) child.kill();
    process.exit(1);
  }
  passed += 1;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`[${passed}/${gates.length + 1}] ${gate} ok, ${seconds} s`);
}
