import { spawn } from "node:child_process";
import { ftruncateSync, openSync } from "node:fs";
import path from "node:path";
import { call } from "../support/http.mjs";
import { until } from "../support/processes.mjs";
import { freePort, HOST, Program } from "../support/service.mjs";

const READY_TIMEOUT = 60_000;

/** A server as a process of its own, whose output goes to a file as in production. */
export class Contender extends Program {
  #log;

  static async start(options, cleanup) {
    return new Contender({ ...options, port: await freePort() }, cleanup);
  }

  constructor({ name, node, entry, settings, folder, port }, cleanup) {
    const logFile = path.join(folder, `${name}.log`);
    const log = openSync(logFile, "a");
    const startedAt = performance.now();
    const child = spawn(node, [entry], {
      env: {
        ...{ HOST, PORT: String(port), NODE_ENV: "production" },
        NODE_COMPILE_CACHE: path.join(folder, "compiled"),
        ...settings,
      },
      stdio: ["ignore", log, log],
    });
    super(child, port, cleanup);
    this.name = name;
    this.logFile = logFile;
    this.startedAt = startedAt;
    this.#log = log;
  }

  /** Resolves when it answers, with the milliseconds since its start. */
  async ready(path = "/health/ready") {
    const answers = async () => {
      if (!this.isRunning) throw new Error(`${this.name} ended; its output is in ${this.logFile}`);
      const { status } = await call(this.url, { path });
      return status === 200 || status === 404;
    };
    await until(answers, READY_TIMEOUT, `The readiness of ${this.name}`);
    return performance.now() - this.startedAt;
  }

  /** Empties its log: in a long run, it would fill the disk. */
  emptyLog() {
    ftruncateSync(this.#log);
  }
}
