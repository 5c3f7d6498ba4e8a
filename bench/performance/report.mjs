import { chartOf } from "./page/chart.mjs";
import { costsTable, detailsTable, targetsTable } from "./page/tables.mjs";
import { writeChart, writePage } from "./page/write-page.mjs";
import { formsSummary, formsTable, largeOrdersTable, pagesTable } from "./scale/tables.mjs";

const CHART =
  "![Requests per second of each contender on each path, to those of the floor](performance.svg)";

const partsOfPaths = ({ machine, results, costs }, table) => ({
  machine,
  targets: targetsTable(results, costs, table),
  details: detailsTable(results, table),
  ...(costs && { processes: costsTable(costs, table) }),
});

const partsOfScale = ({ machine, scale: { orders, pages, forms } }) => ({
  "large machine": machine,
  "large orders": largeOrdersTable(orders),
  "large pages": pagesTable(pages),
  "large forms": `${formsSummary(forms)}\n\n${formsTable(forms)}`,
});

/** Prints what a run has measured, or writes it into docs/performance.md and its chart. */
export async function report(measured, { table, write }) {
  const parts = measured.scale ? partsOfScale(measured) : partsOfPaths(measured, table);
  if (!write) {
    console.log(`\n${Object.values(parts).join("\n\n")}`);
    return;
  }
  if (!measured.scale) {
    await writeChart(await chartOf(measured.results));
    parts.chart = CHART;
  }
  await writePage(parts);
}
