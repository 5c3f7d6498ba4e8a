import { chartOf } from "./page/chart.mjs";
import { costsTable, detailsTable, targetsTable } from "./page/tables.mjs";
import { writeChart, writePage } from "./page/write-page.mjs";
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

/** Prints what a run has measured, or writes it into docs/performance.md and its chart. */
export async function report(measured, { table, write }) {
  /** @type {Record<string, string>} */
  const parts = measured.scale ? partsOfScale(measured) : partsOfPaths(measured, table);
  if (!write) {
    console.log(`\n${Object.values(parts).join("\n\n")}`);
    return;
  }
  if (!measured.scale) {
    await writeChart(await chartOf(measured.runs[0].results));
    parts.chart = CHART;
  }
  await writePage(parts);
}
