import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { environment } from "./program.mjs";

const FOLDER = path.join(import.meta.dirname, "..");

/** Installs the packages of `scripts/rehearse`, unless that was done for its lock file. */
export async function installPackages() {
  const lock = await readFile(path.join(FOLDER, "package-lock.json"), "utf8");
  const installed = path.join(FOLDER, "node_modules/.installed-lock.json");
  if ((await readFile(installed, "utf8").catch(() => undefined)) === lock) return;
  console.error("Installing the packages of scripts/rehearse …");
  const npm = spawn("npm", ["--prefix", FOLDER, "--silent", "ci", "--no-audit"], {
    env: environment(),
    stdio: "inherit",
  });
  const [code] = await once(npm, "exit");
  if (code !== 0) throw new Error("npm ci failed in scripts/rehearse");
  await writeFile(installed, lock);
}
