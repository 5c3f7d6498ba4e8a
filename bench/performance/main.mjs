// Measures the service beside what one would write by hand, and beside others:
// npm run bench -- [--quick] [--path products,orders] [--contenders service,floor] [--rounds 7]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Cleanup } from "../support/cleanup.mjs";
import { Postgres } from "../support/postgres.mjs";
import { readOptions } from "./options.mjs";
import { Generator } from "./generator.mjs";
import { Lineup } from "./lineup.mjs";
import { measurePaths } from "./measure-paths.mjs";
import { prepareShop } from "./shop.mjs";
import { textOf } from "./text.mjs";

const options = readOptions();
const cleanup = new Cleanup();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => void cleanup.run().finally(() => process.exit(1)));
}

try {
  const postgres = await Postgres.start(cleanup, { folder: options.keep });
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-bench-logs-"));
  cleanup.add(() => rm(folder, { recursive: true }));
  const data = await prepareShop(postgres, { name: "shop", products: 1000, orders: 100_000 });
  const { databaseUrl } = data;
  const lineup = new Lineup({ table: options.table, databaseUrl, folder, cleanup });
  const generator = new Generator(cleanup);
  for await (const result of measurePaths({ ...options, lineup, generator, postgres, data })) {
    console.log(textOf(result));
  }
} finally {
  await cleanup.run();
}
process.exit();
