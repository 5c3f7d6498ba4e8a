import { writeFile } from "node:fs/promises";
import path from "node:path";
import { call } from "../support/http.mjs";
import { Contender } from "./contender.mjs";
import { POOL_SIZE } from "./contenders.mjs";

/** The contenders of a run on one version of Node, each started when it is first needed. */
export class Lineup {
  #running = new Map();

  constructor({ node, table, databaseUrl, urls = {}, folder, cleanup }) {
    this.node = node;
    this.table = table;
    this.databaseUrl = databaseUrl;
    this.urls = urls;
    this.folder = folder;
    this.cleanup = cleanup;
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

  /** Starts one more process of a contender, perhaps with other settings; does not wait for it. */
  async start(name, others = {}) {
    const { entry, settings } = this.table[name];
    return Contender.start(
      {
        name,
        node: this.node.program,
        entry,
        folder: this.folder,
        settings: {
          DATABASE_URL: this.urls[name] ?? this.databaseUrl,
          DATABASE_POOL_SIZE: String(POOL_SIZE),
          ...settings,
          ...others,
          ...(name === "constant" && { BODY: await this.#body() }),
        },
      },
      this.cleanup,
    );
  }

  /** Ends the contenders that {@link get} has started. */
  async stop() {
    for (const contender of this.#running.values()) await contender.stop();
    this.#running.clear();
  }

  /** Writes the service's answer to the first page of products into a file, and returns the file's path. */
  async #body() {
    const service = await this.get("service");
    const file = path.join(this.folder, "body.json");
    await writeFile(file, (await call(service.url, { path: "/products" })).text);
    return file;
  }
}
