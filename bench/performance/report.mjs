import { chartOf } from "./page/chart.mjs";
import { costsTable, detailsTable, targetsTable } from "./page/tables.mjs";
import { writeChart, writePage } from "./page/write-page.mjs";

/** Prints what a run has measured, or writes it into docs/performance.md and its chart. */
export async function report({ results, costs, machine }, { table, write }) {
  const parts = {
    machine,
    targets: targetsTable(results, costs, table),
    details: detailsTable(results, table),
    ...(costs && { processes: costsTable(costs, table) }),
  };
  if (!write) {
    console.log(`\n${Object.values(parts).join("\n\n")}`);
    return;
  }
  await writePage(parts);
  await writeChart(await chartOf(results));
}
