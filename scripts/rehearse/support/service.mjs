import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { until } from "../../../bench/support/processes.mjs";
import { freePort } from "../../../bench/support/service.mjs";
import { environment, ROOT } from "./program.mjs";

const READY_WITHIN = 60_000;

/** A service of some release as a process of its own, with a log that can be read. */
export class Release {
  #child;
  #ended;
  url = "";
  log = "";

  /** `root` is the folder of a release that is built. Resolves when the service is ready. */
  static async start({ databaseUrl, root = ROOT, settings = {} }, cleanup) {
    const release = new Release();
    const port = await freePort();
    release.url = `http://127.0.0.1:${port}`;
    release.#child = spawn(process.execPath, ["dist/main.js"], {
      cwd: root,
      env: {
        ...environment(),
        HOST: "127.0.0.1",
        JWT_SECRET: randomBytes(32).toString("hex"),
        ORDER_RATE_LIMIT: "0",
        ...settings,
        DATABASE_URL: databaseUrl,
        PORT: String(port),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [release.#child.stdout, release.#child.stderr]) {
      stream
        .setEncoding("utf8")
        .on("data", (text) => (release.log = (release.log + text).slice(-1e6)));
    }
    release.#ended = once(release.#child, "exit");
    cleanup.add(() => release.#child.kill("SIGKILL"));
    await release.#ready();
    return release;
  }

  async #ready() {
    const isReady = async () => {
      if (this.#child.exitCode !== null) throw new Error(`The service ended:\n${this.log}`);
      return fetch(`${this.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await until(isReady, READY_WITHIN, "The service's readiness");
  }

  /** Asks the service to end; resolves with its exit code. */
  async stop() {
    this.#child.kill("SIGTERM");
    const [code] = await this.#ended;
    return code;
  }
}
