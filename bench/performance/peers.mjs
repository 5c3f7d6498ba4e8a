import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../peers");
const LOCK_FILE = path.join(FOLDER, "package-lock.json");

/** A copy of the lock file from which the packages were installed. */
const INSTALLED = path.join(FOLDER, "node_modules/.installed-lock.json");

async function npm(...args) {
  const child = spawn("npm", ["--prefix", FOLDER, "--silent", ...args], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`npm ${args.join(" ")} failed for the peers`);
}

/** Builds the servers of other frameworks. Installs their packages first, unless that was done for this lock file. */
export async function preparePeers() {
  const lock = await readFile(LOCK_FILE, "utf8");
  if ((await readFile(INSTALLED, "utf8").catch(() => undefined)) !== lock) {
    console.error("Installing the packages of bench/peers …");
    await npm("ci");
    await writeFile(INSTALLED, lock);
  }
  await npm("run", "build");
}
