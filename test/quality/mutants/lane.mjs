import { fork } from "node:child_process";
import path from "node:path";

/**
 * Runs test files against instrumented code. One process serves many mutants, because loading the code takes longer
 * than most test files. Mutants that take effect only while the code is loaded need a process of their own.
 */
export class Lane {
  #child;
  #used = 0;

  /**
   * @param folder the copy of the project
   * @param databaseUrl a server for the databases of tests
   */
  constructor(folder, databaseUrl) {
    this.folder = folder;
    this.databaseUrl = databaseUrl;
  }

  /** Runs a test file twice in a process of its own. Returns each run's executed mutants, and the first run's time. */
  async cover(file) {
    return this.#alone(async (lane) => {
      const first = await lane.#ask({ files: [file], isCoverage: true });
      if (first.failure) return { failure: first.failure };
      const second = await lane.#ask({ files: [file], isCoverage: true });
      return { first, second: second.failure ? undefined : second, time: first.times[file] };
    });
  }

  /**
   * The first failure of these files with the mutant: a test, or "time-out"; undefined if the mutant survives. A
   * failure counts only if the file passes afterwards without the mutant.
   */
  async run({ id, files, hitLimit, isStatic, timeout }) {
    if (isStatic) {
      const run = () => this.#alone((lane) => lane.#ask({ files, mutant: id }, timeout));
      const { failure } = await run();
      if (!failure || failure === "time-out") return failure;
      return (await this.#passes(failure.file)) ? failure : (await run()).failure;
    }
    for (let tries = 0; ; tries += 1) {
      const { failure } = await this.#ask({ files, mutant: id, hitLimit }, timeout);
      if (!failure || failure === "time-out") return failure;
      if (await this.#passes(failure.file)) return failure;
      this.end();
      if (tries === 2) return failure;
    }
  }

  end() {
    const child = this.#child;
    this.#child = undefined;
    this.#used = 0;
    if (child?.exitCode === null) kill(child);
  }

  async #passes(file) {
    return !(await this.#ask({ files: [file] }, 120_000)).failure;
  }

  async #alone(use) {
    const lane = new Lane(this.folder, this.databaseUrl);
    try {
      return await use(lane);
    } finally {
      lane.end();
    }
  }

  /** The answer of the process, or the failure "time-out" if there is none within `timeout` milliseconds. */
  async #ask(request, timeout = 300_000) {
    // Tests leave data in memory, so a new process begins from time to time.
    if (this.#used++ > 50) this.end();
    this.#child ??= this.#start(request.mutant);
    const child = this.#child;
    const answer = await new Promise((resolve) => {
      const limit = setTimeout(() => resolve({ failure: "time-out" }), timeout);
      const done = (result) => {
        clearTimeout(limit);
        child.off("message", done).off("exit", died);
        resolve(result);
      };
      const died = () => done({ failure: "time-out" });
      child.on("message", done).once("exit", died);
      child.send(request);
    });
    if (answer.error) throw new Error(answer.error);
    if (answer.failure === "time-out") this.end();
    return answer;
  }

  #start(mutant) {
    /** @type {NodeJS.ProcessEnv} */
    const env = { ...process.env, TEST_DATABASE_URL: this.databaseUrl, NODE_ENV: "test" };
    if (mutant) env.__STRYKER_ACTIVE_MUTANT__ = mutant;
    return fork(path.join(this.folder, "test/quality/mutants/lane-process.cjs"), {
      cwd: this.folder,
      detached: true, // ended together with the processes that its tests have started
      env,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  }
}

function kill(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
