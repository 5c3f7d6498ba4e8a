// @ts-check
// JavaScript, as a thread loads its program from a file by itself, also where tests run from the sources.
const { setPriority } = require("node:os");
const { parentPort } = require("node:worker_threads");
const { compareSync, hashSync } = require("bcrypt");

/** @typedef {import("./password-threads").PasswordJob} PasswordJob */

/** The lowest priority that Linux has. */
const LOWEST = 19;

// On Linux every thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === "linux") setPriority(LOWEST);

/**
 * @param {PasswordJob} job
 * @returns {boolean | string}
 */
function run(job) {
  if (job.kind === "hash") return hashSync(job.password, job.cost);
  const [matches = false] = job.hashes.map((hash) => compareSync(job.password, hash));
  return matches;
}

parentPort?.on("message", (/** @type {PasswordJob} */ job) => parentPort?.postMessage(run(job)));
