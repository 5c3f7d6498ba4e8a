import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Postgres } from "../support/postgres.mjs";
import { Generator } from "../support/generator.mjs";
import { Lineup } from "./lineup.mjs";
import { measurePath } from "./measure-path.mjs";
import { nodesOf } from "./nodes.mjs";
import { machineOf } from "./page/machine.mjs";
import { preparePeers } from "./peers.mjs";
import { profilePath } from "./profile/profile-path.mjs";
import { costsTable } from "./page/tables.mjs";
import { processCosts } from "./process-costs.mjs";
import { measureReplicas } from "./replicas/measure-replicas.mjs";
import { measureScale } from "./scale/measure-scale.mjs";
import { prepareShops } from "./shop.mjs";
import { COUNTING, StatementCounter } from "./statements.mjs";
import { textOf } from "./text.mjs";

const SHOP = { name: "shop", products: 1000, orders: 100_000 };

/** Each contender has connections of its own to the database. */
const SERVER = { ...COUNTING, max_connections: "200" };

/** The paths that load a process whose memory is measured. */
const LOADING = ["products", "product", "keyed-orders", "graphql"];

/** One run of the benchmark, on a database and processes of its own. */
export class Run {
  #options;
  #tools;
  #nodes;

  static async start(options, cleanup) {
    const run = new Run();
    run.#options = options;
    const { paths, table, keep, scale, replicas, processes } = options;
    const measuresPaths = !scale && !replicas && !processes;
    if (
      measuresPaths &&
      paths.some(({ contenders }) => contenders.some((name) => table[name].isPeer))
    ) {
      await preparePeers();
    }
    run.#nodes = await nodesOf(options.nodes);
    const postgres = await Postgres.start(cleanup, { folder: keep, settings: SERVER });
    const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-bench-logs-"));
    cleanup.add(() => rm(folder, { recursive: true }));
    const { data, urls } = await prepareShops(postgres, SHOP, options.before);
    const counter = new StatementCounter(postgres, [data.databaseUrl, ...Object.values(urls)]);
    await counter.prepare();
    const generator = new Generator(cleanup);
    run.#tools = { postgres, data, urls, counter, generator, folder, cleanup };
    return run;
  }

  /** Measures everything that was asked for. Prints each path when it is done. */
  async measure() {
    const { scale, replicas, processes, profile } = this.#options;
    const [first] = this.#nodes;
    if (profile) return this.#profile(this.#toolsOn(first));
    if (scale) {
      const machine = await machineOf(this.#tools.postgres, [first]);
      return {
        machine,
        scale: await measureScale({ ...this.#options, ...this.#toolsOn(first) }),
      };
    }
    if (replicas) {
      const machine = await machineOf(this.#tools.postgres, [first]);
      return {
        machine,
        replicas: await measureReplicas({ ...this.#options, ...this.#toolsOn(first) }),
      };
    }
    if (processes) {
      for (const node of this.#nodes) console.log(await this.#costsOn(node));
      return undefined;
    }
    const machine = await machineOf(this.#tools.postgres, this.#nodes);
    const runs = [];
    for (const node of this.#nodes) runs.push(await this.#measureOn(node));
    return { machine, runs };
  }

  /** The tools for measuring on a version of Node. */
  #toolsOn(node) {
    const { data, urls, folder, cleanup } = this.#tools;
    const { databaseUrl } = data;
    const { table } = this.#options;
    return {
      ...this.#tools,
      lineup: new Lineup({ node, table, databaseUrl, urls, folder, cleanup }),
    };
  }

  async #measureOn(node) {
    const { paths, isPartial } = this.#options;
    const tools = this.#toolsOn(node);
    if (this.#nodes.length > 1) console.error(`Node ${node.version}`);
    const results = [];
    for (const each of paths) {
      const result = await measurePath(each, { ...this.#options, ...tools });
      console.error(textOf(result));
      results.push(result);
    }
    const costs = isPartial ? undefined : await this.#processCosts(tools);
    await tools.lineup.stop();
    return { version: node.version, results, costs };
  }

  /** What the processes cost on a version of Node, as a table. */
  async #costsOn(node) {
    const tools = this.#toolsOn(node);
    const costs = await this.#processCosts(tools);
    await tools.lineup.stop();
    return costsTable([{ version: node.version, costs }], this.#options.table);
  }

  /** Prints where the contenders of each path spend their time: the chosen ones or, by default, the service. */
  async #profile(tools) {
    for (const each of this.#options.paths) {
      const services = each.contenders.filter((name) => this.#options.table[name].isService);
      for (const name of this.#options.isChosen ? each.contenders : services) {
        console.log(await profilePath(each, name, { ...this.#options, ...tools }));
      }
    }
  }

  async #processCosts(tools) {
    const { connections, starts } = this.#options;
    const paths = this.#options.paths.filter(({ name }) => LOADING.includes(name));
    // Three rounds of each path: memory grows for a while.
    const how = { paths, connections, starts, seconds: 3 * this.#options.seconds };
    const costs = new Map();
    for (const name of ["service", "floor"]) {
      costs.set(name, await processCosts({ ...tools, ...how, name }));
    }
    return costs;
  }
}
