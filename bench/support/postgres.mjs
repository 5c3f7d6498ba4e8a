import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Migrator, seedDemo, startEmbeddedPostgres } from "./built.mjs";
import { partsOf, Server } from "./server.mjs";

/** A PostgreSQL server of the harness's own, durable as in production, in a temporary folder. */
export class Postgres extends Server {
  #databases = 0;

  /**
   * Starts a server, which is removed at the cleanup unless it was given a folder of its own.
   * `settings` are the server's, by name.
   *
   * @param {import("./cleanup.mjs").Cleanup} cleanup
   * @param {{ folder?: string, settings?: Record<string, string> }} [options]
   */
  static async start(cleanup, { folder, settings = {} } = {}) {
    const dataDir = folder ?? (await mkdtemp(path.join(tmpdir(), "tea-shop-bench-")));
    await mkdir(dataDir, { recursive: true });
    const start = () => startEmbeddedPostgres({ dataDir, password: "secret" });
    const serverOf = async (embedded) =>
      new Postgres(await partsOf(path.join(dataDir, "postgres")), embedded.url("postgres"));
    let embedded = await start();
    let server = await serverOf(embedded);
    cleanup.add(async () => {
      await server.thaw();
      await (folder === undefined ? embedded.remove() : embedded.stop());
    });
    if (await server.#configure(settings)) {
      await embedded.stop();
      embedded = await start();
      server = await serverOf(embedded);
    }
    return server;
  }

  /** A migrated database of its own with the demonstration's catalogue and orders. */
  async createDatabase() {
    const name = `torture_${(this.#databases += 1)}`;
    await this.tell(`CREATE DATABASE ${name} TEMPLATE template0`);
    const databaseUrl = this.url(name);
    await new Migrator({ databaseUrl }).up();
    await seedDemo(databaseUrl);
    return databaseUrl;
  }

  /** Stores settings that differ from the server's. True if the server must be restarted for them. */
  async #configure(settings) {
    let differ = false;
    for (const [name, value] of Object.entries(settings)) {
      const [{ current }] = await this.tell("SELECT current_setting($1, true) AS current", [name]);
      if (current === value) continue;
      await this.tell(`ALTER SYSTEM SET ${name} = '${value}'`);
      differ = true;
    }
    return differ;
  }
}
