// Tries what runs outside of the repository: npm run rehearse [-- parts and their options].
// Without a name, all parts run one after another; options go to the parts that are named.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { installPackages } from "./support/packages.mjs";

const FOLDER = import.meta.dirname;
/** In the order in which they run. */
const PARTS = {
  manifests: "The files for containers, systemd and GitHub say what their schemas allow",
  docker: "The steps of the Dockerfile make a service in an empty folder",
  restore: "A dump is restored on PostgreSQL 15",
  proxy: "nginx with the file of deploy/ loses no order, whatever the pauses between them",
  upgrades: "Migrations run under load, and the release before serves on their schema",
  tracing: "A collector receives the traces of requests",
  node: "The tests pass on each version of Node",
  examples: "The generators of the examples still write what is committed",
};

const words = process.argv.slice(2);
const named = words.filter((word) => word in PARTS);
const options = words.filter((word) => !named.includes(word));
if (named.length === 0 && options.length > 0) {
  console.error(`usage: npm run rehearse [-- ${Object.keys(PARTS).join(" | ")} [options]]`);
  process.exit(2);
}

await installPackages();
const there = Object.keys(PARTS).filter((name) => fileOf(name) !== undefined);
const results = [];
for (const name of named.length > 0 ? named : there) results.push(await run(name));

console.log("\nRehearsed:");
for (const { name, passed, time } of results) {
  console.log(
    `  ${passed ? "pass" : "FAIL"}  ${name.padEnd(10)} ${time.padStart(9)}  ${PARTS[name]}`,
  );
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;

/** The program of a part; nothing where this release does not have the part. */
function fileOf(name) {
  const files = [`${name}.mjs`, path.join(name, "main.mjs")];
  return files.map((file) => path.join(FOLDER, file)).find(existsSync);
}

async function run(name) {
  console.log(`\n${name}: ${PARTS[name]}`);
  const started = performance.now();
  const code = await exitCode(process.execPath, [fileOf(name) ?? `${name}.mjs`, ...options]);
  const time = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  return { name, passed: code === 0, time };
}

async function exitCode(command, args) {
  const child = spawn(command, args, { cwd: path.join(FOLDER, "../.."), stdio: "inherit" });
  const stop = (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  const [code] = await once(child, "exit");
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  return code;
}
