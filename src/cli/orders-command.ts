import { Option, type Command } from "commander";
import { withClient } from "../database/connection/with-client";
import {
  exportedColumns,
  exportedDecimals,
  exportOrders,
  itemRows,
} from "../services/orders/export-orders";
import { OrderFilter, OrderStatus } from "../services/orders/inputs";
import { time } from "./arguments";
import { withMigratedDatabase, commandSettings } from "./database";
import {
  writeExport,
  destinationOf,
  withExportOptions,
  type ExportOptions,
} from "./files/export-file";
import type { Io } from "./io";

const help = `
CSV has a line for each item of an order, which repeats what belongs to the order; JSON lines have an order
each. Without a file, or with -, it is written to standard output. Files that are created can be read by
their owner alone, because they have addresses of customers.

Examples:
  npm run tea -- orders export orders.csv
  npm run tea -- orders export paid.jsonl --status PAID --from 2026-01-01 --before 2026-02-01`;

interface Choice extends ExportOptions {
  readonly status?: OrderStatus;
  readonly from?: Date;
  readonly before?: Date;
}

export function addOrderCommands(program: Command, io: Io): void {
  const orders = program
    .command("orders")
    .description("write orders to a file")
    .addHelpText("after", "\nExample:\n  npm run tea -- orders export orders.csv");
  withExportOptions(orders.command("export"))
    .description("write orders and their items to a file")
    .addOption(
      new Option("--status <status>", "only orders in this state").choices(
        Object.values(OrderStatus),
      ),
    )
    .option("--from <time>", "only orders placed at this time or later (UTC)", time)
    .option("--before <time>", "only orders placed before this time (UTC)", time)
    .addHelpText("after", help)
    .action((file: string, choice: Choice) => run(file, choice, io));
}

async function run(file: string, choice: Choice, io: Io): Promise<void> {
  const target = {
    ...destinationOf(file, choice),
    columns: exportedColumns,
    decimals: exportedDecimals,
    rowsOf: itemRows,
  };
  const { status, from: placedFrom, before: placedBefore } = choice;
  const filter = Object.assign(new OrderFilter(), { status, placedFrom, placedBefore });
  await withMigratedDatabase(commandSettings(io), (databaseUrl) =>
    withClient(databaseUrl, (client) =>
      exportOrders(client, filter, (batches) => writeExport(batches, target, io)),
    ),
  );
}
