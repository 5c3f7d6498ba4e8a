import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../peers");
const LOCK_FILE = path.join(FOLDER, "package-lock.json");

/** A copy of the lock file that the installed packages are of. */
const INSTALLED = path.join(FOLDER, "node_modules/.installed-lock.json");

async function npm(...args) {
  const child = spawn("npm", ["--prefix", FOLDER, "--silent", ...args], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`npm ${args.join(" ")} failed for the peers`);
}

/** Installs and builds the servers of other frameworks, unless that was done for their lock file. */
export async function preparePeers() {
  const lock = await readFile(LOCK_FILE, "utf8");
  if ((await readFile(INSTALLED, "utf8").catch(() => undefined)) !== lock) {
    console.error("Installing the packages of bench/peers …");
    await npm("ci");
    await writeFile(INSTALLED, lock);
  }
  await npm("run", "build");
}
