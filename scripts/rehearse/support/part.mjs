import { mkdtemp, rm } from "node:fs/promises";
import { chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Cleanup } from "../../../bench/support/cleanup.mjs";

/** Runs a part of the rehearsal with a temporary folder, and undoes at its end what it has added to `cleanup`. */
export async function part(run) {
  const cleanup = new Cleanup();
  let ending;
  // A signal also makes the part fail, and nothing may end before all is undone.
  const end = () => (ending ??= cleanup.run());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => void end().finally(() => process.exit(1)));
  }
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-rehearse-"));
  chmodSync(folder, 0o755); // run as root, services and databases run as other users
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  try {
    await run({ folder, cleanup });
  } catch (fault) {
    console.error(fault);
    process.exitCode = 1;
  } finally {
    await end();
  }
  process.exit();
}
