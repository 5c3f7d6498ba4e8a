import type { Command } from "commander";
import type { Client } from "pg";
import { countLists } from "../lists/counts/list-changes";
import { checkLists, type ListCountMismatch } from "../lists/counts/check-list-counts";
import { touchCatalogue } from "../database/statements/touch-catalogue";
import { withClient } from "../database/connection/with-client";
import { addLackingAddresses, countLackingAddresses } from "../services/orders/customer-addresses";
import { OperatorError } from "../vocabulary/errors";
import { counted, print, type Io } from "./io";
import { withMigratedDatabase, commandSettings } from "./database";

const checkHelp = `
The database keeps the totals of the lists of orders and products, where their pages begin, and the addresses by
which orders are searched. Triggers keep them right. They can only go wrong when rows are loaded without triggers
(session_replication_role = replica, ALTER TABLE … DISABLE TRIGGER). The check changes nothing and nobody waits
for it.

Examples:
  npm run tea -- lists check
  npm run tea -- lists check --repair`;

/** The most differences that are printed. */
const SHOWN = 10;

export function addListCommands(program: Command, io: Io): void {
  program
    .command("lists")
    .description("check the stored totals and positions of lists, and addresses of customers")
    .addHelpText("after", "\nExample:\n  npm run tea -- lists check")
    .command("check")
    .description("compare them with the rows; fails if something differs")
    .option("--repair", "count the lists anew, and add the addresses, if something differs")
    .addHelpText("after", checkHelp)
    .action(({ repair = false }: { repair?: boolean }) =>
      withMigratedDatabase(commandSettings(io), (databaseUrl) =>
        withClient(databaseUrl, (client) => check(client, repair, io)),
      ),
    );
}

async function check(client: Client, repair: boolean, io: Io): Promise<void> {
  const { uncounted, lists, mismatches } = await checkLists(client);
  const lacking = await countLackingAddresses(client);
  for (const table of uncounted) print(io, `The lists of ${table} are not counted yet`);
  for (const line of linesOf(mismatches)) print(io, line);
  if (lacking > 0) print(io, `customer_addresses lacks ${addresses(lacking)}`);
  const tables = new Set([...uncounted, ...mismatches.map(({ table }) => table)]);
  if (tables.size === 0 && lacking === 0) {
    print(io, `All ${lists} lists and the addresses of customers are as they are kept`);
    return;
  }
  if (!repair) throw new OperatorError("run: npm run tea -- lists check --repair");
  for (const table of tables) await count(client, table, io);
  if (lacking > 0) {
    print(io, `Added ${addresses(await addLackingAddresses(client))} to customer_addresses`);
  }
}

const addresses = (count: number): string => `${counted(count, "address", "addresses")} of orders`;

async function count(client: Client, table: string, io: Io): Promise<void> {
  if (!(await countLists(client, table))) {
    throw new OperatorError(`The lists of ${table} are in use by another session; try again`);
  }
  await touchCatalogue(client); // kept answers may have the wrong totals
  print(io, `Counted the lists of ${table} anew`);
}

function linesOf(mismatches: readonly ListCountMismatch[]): string[] {
  const lines = mismatches.map(
    ({ table, list, height, from, kept, counted }) =>
      `${table}${list && `, ${list}`}${height === 2 ? "" : `, part of height ${height} from ${from}`}: kept ${kept}, counted ${counted}`,
  );
  const more = lines.length - SHOWN;
  return more > 0 ? [...lines.slice(0, SHOWN), `and ${more} more`] : lines;
}
