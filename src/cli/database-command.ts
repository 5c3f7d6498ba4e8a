import type { Command } from "commander";
import type { Client } from "pg";
import { checkFeatures } from "../database/checks/check-features";
import { withClient } from "../database/connection/with-client";
import { withLocalDatabase } from "../local/local-database";
import { OperatorError } from "../vocabulary/errors";
import { counted } from "./counted";
import { print, type Io } from "./io";
import { commandSettings } from "./settings";

const checkHelp = `
For engines that speak PostgreSQL's protocol, and for poolers. Each feature is used in a schema that is created for
the check and dropped after it; the shop's tables are not touched, and need not be there. The role must have the right
to create a schema. The command fails if something does not work.

Examples:
  npm run tea -- database check
  DATABASE_URL=postgres://... npm run tea -- database check`;

export function addDatabaseCommands(program: Command, io: Io): void {
  program
    .command("database")
    .description("check whether a database can do what the shop needs")
    .addHelpText("after", "\nExample:\n  npm run tea -- database check")
    .command("check")
    .description("try each feature of PostgreSQL that the shop needs; fails if one is missing")
    .addHelpText("after", checkHelp)
    .action(() => withLocalDatabase(commandSettings(io), (databaseUrl) => check(databaseUrl, io)));
}

async function check(databaseUrl: string, io: Io): Promise<void> {
  print(io, await withClient(databaseUrl, serverOf));
  const outcomes = await checkFeatures(databaseUrl);
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  for (const { name, neededFor, fault } of outcomes) {
    print(io, `${fault === undefined ? "works" : "LACKS"}  ${name.padEnd(width)}  ${neededFor}`);
    if (fault !== undefined) print(io, `       ${fault}`);
  }
  const lacking = outcomes.filter(({ fault }) => fault !== undefined).length;
  if (lacking > 0) {
    throw new OperatorError(
      `The shop can't use this database: it lacks ${counted(lacking, "feature")} of ${outcomes.length}`,
    );
  }
  print(io, `All ${outcomes.length} features work`);
}

/** What the server calls itself. */
async function serverOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>("SELECT version()");
  return rows[0]?.version ?? "";
}
