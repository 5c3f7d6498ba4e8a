import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const PROCESS = path.join(import.meta.dirname, "generator-process.mjs");

/** Loads servers from a process of its own, so that counting answers here delays none. */
export class Generator {
  #child = fork(PROCESS, { serialization: "advanced" });

  constructor(cleanup) {
    cleanup.add(() => this.#child.kill("SIGKILL"));
  }

  /**
   * Sends requests over some connections for some seconds: each when the last one is answered, or `rate` of
   * them a second. Resolves with the `count` of successes, how many `perSecond`, their `p50` and `p99` in
   * milliseconds, the `statuses` of all answers and the number of `errors`.
   */
  async load(job) {
    const answer = once(this.#child, "message");
    this.#child.send(job);
    const [result] = await answer;
    return result;
  }
}
