import { Replica } from "../support/replica.mjs";
import { Contender } from "./contender.mjs";
import { POOL_SIZE } from "./contenders.mjs";

/** The contenders of a run on one version of Node, each started when it is first needed. */
export class Lineup {
  #running = new Map();
  #options;

  constructor(options) {
    this.#options = options;
  }

  /** A contender that is running and ready; starts it first if necessary. */
  async get(name) {
    if (!this.#running.has(name)) {
      const contender = await this.start(name);
      await contender.ready();
      this.#running.set(name, contender);
    }
    return this.#running.get(name);
  }

  /** Starts one more process of a contender; does not wait for it. */
  async start(name) {
    const { node, table, databaseUrl, urls, folder, cleanup } = this.#options;
    const { entry, settings, replicas } = table[name];
    return Contender.start(
      {
        ...{ name, entry, folder, node: node.program },
        settings: {
          DATABASE_URL: urls[name] ?? databaseUrl,
          DATABASE_POOL_SIZE: String(POOL_SIZE),
          ...settings,
          ...(replicas && { DATABASE_REPLICA_URLS: await this.#replicas(replicas) }),
        },
      },
      cleanup,
    );
  }

  /** Ends the contenders that {@link get} has started. */
  async stop() {
    for (const contender of this.#running.values()) await contender.stop("SIGKILL");
    this.#running.clear();
  }

  /** Starts so many replicas, and returns their addresses. */
  async #replicas(count) {
    const { postgres, databaseUrl, cleanup } = this.#options;
    const database = new URL(databaseUrl).pathname.slice(1);
    const urls = [];
    while (urls.length < count) urls.push((await Replica.of(postgres, cleanup)).url(database));
    return urls.join();
  }
}
