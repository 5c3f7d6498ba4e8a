import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Generator } from "../support/generator.mjs";
import { Postgres } from "../support/postgres.mjs";
import { Lineup } from "./lineup.mjs";
import { measurePath } from "./measure-path.mjs";
import { nodesOf } from "./nodes.mjs";
import { processCosts } from "./process-costs.mjs";
import { prepareShops } from "./shop.mjs";
import { COUNTING, StatementCounter } from "./statements.mjs";
import { costsText, textOf } from "./text.mjs";

/** Each contender has connections of its own to the database. */
const SERVER = { ...COUNTING, max_connections: "200" };

/** The paths that load a process whose memory is measured. */
const LOADING = ["products", "product", "keyed-orders", "graphql"];

/** One run of the benchmark, on a server and processes of its own. Prints each result when it is there. */
export async function run(options, cleanup) {
  const { paths, table, keep, before, size, measuresPaths, measuresProcesses } = options;
  const nodes = nodesOf(options.nodes);
  const postgres = await Postgres.start(cleanup, { folder: keep, settings: SERVER });
  const folder = await mkdtemp(path.join(os.tmpdir(), "tea-shop-bench-logs-"));
  cleanup.add(() => rm(folder, { recursive: true }));
  const { data, urls } = await prepareShops(postgres, size, before);
  const { databaseUrl } = data;
  const counter = new StatementCounter(postgres, [databaseUrl, ...Object.values(urls)]);
  await counter.prepare();
  const generator = new Generator(cleanup);
  for (const node of nodes) {
    console.log(await machineText(postgres, node, data));
    const lineup = new Lineup({ node, table, postgres, databaseUrl, urls, folder, cleanup });
    const tools = { ...options, postgres, data, counter, generator, lineup };
    if (measuresPaths) {
      for (const each of paths) console.log(textOf(await measurePath(each, tools)));
    }
    if (measuresProcesses) await measureProcesses(tools);
    await lineup.stop();
  }
}

async function measureProcesses(options) {
  const paths = options.paths.filter(({ name }) => LOADING.includes(name));
  // Three rounds of each path: memory grows for a while.
  const how = { ...options, paths, seconds: 3 * options.seconds };
  for (const name of ["service", "before", "floor"].filter((each) => each in options.table)) {
    console.log(costsText(name, await processCosts({ ...how, name })));
  }
}

async function machineText(postgres, { version }, { counts }) {
  const [{ server_version: server }] = await postgres.tell("SHOW server_version");
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return (
    `${new Date().toISOString().slice(0, 10)}: ${os.availableParallelism()} cores (${os.cpus()[0].model.trim()}), ` +
    `${memory} GB, ${os.type()}, Node ${version}, PostgreSQL ${server}; ` +
    `${counts.products} products, ${counts.orders} orders`
  );
}
