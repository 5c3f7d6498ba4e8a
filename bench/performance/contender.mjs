import { spawn } from "node:child_process";
import { once } from "node:events";
import { ftruncateSync, openSync } from "node:fs";
import path from "node:path";
import { call } from "../support/http.mjs";
import { signal, until } from "../support/processes.mjs";
import { freePort } from "../support/service.mjs";

const READY_TIMEOUT = 60_000;
const HOST = "127.0.0.1";

/** A server as a process of its own, whose output goes to a file as in production. */
export class Contender {
  #child;
  #log;

  constructor({ name, node, entry, settings, port, folder }) {
    this.name = name;
    this.url = `http://${HOST}:${port}`;
    this.logFile = path.join(folder, `${name}.log`);
    this.#log = openSync(this.logFile, "a");
    this.startedAt = performance.now();
    this.#child = spawn(node, [entry], {
      env: {
        HOST,
        PORT: String(port),
        NODE_ENV: "production",
        NODE_COMPILE_CACHE: path.join(folder, "compiled"),
        ...settings,
      },
      stdio: ["ignore", this.#log, this.#log],
    });
    this.ended = once(this.#child, "exit");
  }

  /** Starts a server; it is ended at the cleanup. */
  static async start(options, cleanup) {
    const contender = new Contender({ ...options, port: await freePort() });
    cleanup.add(() => contender.stop());
    return contender;
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resolves when it answers, with the milliseconds since its start. */
  async ready(path = "/health/ready") {
    const answers = async () => {
      if (this.#child.exitCode !== null) {
        throw new Error(`${this.name} ended; its output is in ${this.logFile}`);
      }
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

  async stop(name = "SIGKILL") {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    signal(this.pid, name);
    await this.ended;
  }
}
