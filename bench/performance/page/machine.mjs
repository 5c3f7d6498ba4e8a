import os from "node:os";

/** Where and when a run on some versions of Node took place, as a sentence. */
export async function machineOf(postgres, nodes) {
  const [{ server_version: version }] = await postgres.sql(
    postgres.url("postgres"),
    "SHOW server_version",
  );
  const versions = nodes.map((node) => node.version).join(" and ");
  const cores = os.availableParallelism();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return (
    `Measured on ${date}: ${cores} cores (${os.cpus()[0].model.trim()}), ${memory} GB of memory, ` +
    `${os.type()}, Node ${versions}, PostgreSQL ${version}. ` +
    `The server, PostgreSQL and the load generator share the cores.`
  );
}
