// @ts-check
// JavaScript, because a worker thread loads this file without a compiler, even when tests run from src.
const { constants, setPriority } = require("node:os");
const { parentPort } = require("node:worker_threads");
const { compareSync, hashSync } = require("bcrypt");

/** @typedef {import("./passwords").PasswordJob} PasswordJob */

// On Linux each thread has its own priority; on other systems this would set the priority of the process.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

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
