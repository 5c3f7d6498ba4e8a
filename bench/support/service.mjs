import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { call } from "./http.mjs";
import { signal, until } from "./processes.mjs";

const ENTRY = path.join(import.meta.dirname, "../../dist/main.js");
const PROBE = path.join(import.meta.dirname, "heap-probe.cjs");
const JWT_SECRET = randomBytes(32).toString("hex");

export const HOST = "127.0.0.1";

/** Limits per address would only measure themselves: all clients of a harness share one address. */
const SETTINGS = {
  HOST,
  LOG_LEVEL: "warn",
  JWT_SECRET,
  LOGIN_FAILURE_LIMIT: "1000000000",
  LOGIN_ADDRESS_FAILURE_LIMIT: "1000000000",
  ORDER_RATE_LIMIT: "0",
};

export async function freePort() {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** The program that sends webhooks and does nothing else. */
export const DISPATCHER = [path.join(import.meta.dirname, "../../dist/cli/main.js"), "dispatch"];

/** A server as a process of its own, which is ended at the cleanup. */
export class Program {
  constructor(child, port, cleanup) {
    this.child = child;
    this.url = `http://${HOST}:${port}`;
    this.ended = once(child, "exit").then(([code, name]) => ({ code, signal: name }));
    cleanup.add(async () => {
      this.signal("SIGCONT");
      await this.stop("SIGKILL");
    });
  }

  get pid() {
    return this.child.pid;
  }

  get isRunning() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(name) {
    if (this.isRunning) signal(this.pid, name);
  }

  async stop(name = "SIGTERM") {
    this.signal(name);
    return this.ended;
  }
}

/** The built service as a process of its own. */
export class Service extends Program {
  #listeners = new Set();

  /** `program` is the built file that runs, and what it is given; by default, the service. */
  constructor(
    { databaseUrl, port, settings = {}, nodeOptions = [], probe = false, program = [ENTRY] },
    cleanup,
  ) {
    /** @type {import("node:child_process").StdioOptions} */
    const stdio = ["ignore", "pipe", "pipe", ...(probe ? [/** @type {const} */ ("ipc")] : [])];
    const flags = probe ? ["--expose-gc", "--require", PROBE] : [];
    const child = spawn(process.execPath, [...flags, ...nodeOptions, ...program], {
      env: { ...SETTINGS, DATABASE_URL: databaseUrl, PORT: String(port), ...settings },
      stdio,
    });
    super(child, port, cleanup);
    this.output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        this.output = (this.output + text).slice(-100_000);
        for (const listener of this.#listeners) listener(text);
      });
    }
  }

  /** Resolves when requests can be served. */
  async ready(limit = 30_000) {
    const answers = async () => {
      if (!this.isRunning) throw new Error(`The service ended:\n${this.output}`);
      return (await call(this.url, { path: "/health/ready" })).status === 200;
    };
    await until(answers, limit, "The service's readiness");
    return this;
  }

  /** Resolves with the next output that contains the text. */
  async says(text) {
    const said = new Promise((resolve) => {
      let heard = "";
      const listener = (output) => {
        heard += output;
        if (!heard.includes(text)) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
    const ended = this.ended.then(() => {
      throw new Error(`The service ended before it said "${text}":\n${this.output}`);
    });
    await Promise.race([said, ended]);
  }

  /** Bytes of the heap in use after a forced collection. */
  async heapUsed() {
    const answer = once(this.child, "message");
    this.child.send("collect");
    const [bytes] = await answer;
    return bytes;
  }
}
