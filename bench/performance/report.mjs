import { chartOf } from "./page/chart.mjs";
import { costsTable, detailsTable, targetsTable } from "./page/tables.mjs";
import { writeChart, writePage } from "./page/write-page.mjs";
import { replicasTable } from "./replicas/tables.mjs";
import { formsSummary, formsTable, largeOrdersTable, pagesTable } from "./scale/tables.mjs";

const CHART =
  "![Requests per second of each contender on each path, to those of the floor](performance.svg)";

/** One table for each version of Node. */
const ofEach = (runs, tableOf) =>
  runs
    .map((run) => [...(runs.length > 1 ? [`### Node ${run.version}`] : []), tableOf(run)])
    .flat()
    .join("\n\n");

const partsOfPaths = ({ machine, runs }, table) => ({
  machine,
  targets: targetsTable(runs, table),
  details: ofEach(runs, ({ results }) => detailsTable(results, table)),
  ...(runs[0].costs && { processes: costsTable(runs, table) }),
});

const partsOfScale = ({ machine, scale: { orders, pages, forms } }) => ({
  "large machine": machine,
  "large orders": largeOrdersTable(orders),
  "large pages": pagesTable(pages),
  "large forms": `${formsSummary(forms)}\n\n${formsTable(forms)}`,
});

const partsOfReplicas = ({ machine, replicas }) => ({
  "replicas machine": machine,
  replicas: replicasTable(replicas),
});

function partsOf(measured, table) {
  if (measured.scale) return partsOfScale(measured);
  return measured.replicas ? partsOfReplicas(measured) : partsOfPaths(measured, table);
}

/** Prints what a run has measured, or writes it into docs/performance.md and its chart. */
export async function report(measured, { table, write }) {
  /** @type {Record<string, string>} */
  const parts = partsOf(measured, table);
  if (!write) {
    console.log(`\n${Object.values(parts).join("\n\n")}`);
    return;
  }
  if (measured.runs) {
    await writeChart(await chartOf(measured.runs[0].results));
    parts.chart = CHART;
  }
  await writePage(parts);
}
