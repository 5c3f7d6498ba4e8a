import type { Command } from "commander";
import { touchCatalogue } from "../database/statements/touch-catalogue";
import { withClient } from "../database/connection/with-client";
import { addCatalogueFileCommands } from "./catalogue-files-command";
import { withMigratedDatabase } from "./database";
import { print, type Io } from "./io";
import { commandSettings } from "./settings";

const help = `
The database itself notices every change of categories and products, whoever makes it. Run this command after
changes that it can't notice: those that logical replication applies, those made while the triggers of the
tables were disabled, as by pg_restore --disable-triggers, and those made by altering the tables.

Example:
  npm run tea -- catalogue touch`;

export function addCatalogueCommands(program: Command, io: Io): void {
  const catalogue = program
    .command("catalogue")
    .description("write the catalogue to a file, read it from one, or have it read anew")
    .addHelpText(
      "after",
      "\nExamples:\n  npm run tea -- catalogue export catalogue.csv\n  npm run tea -- catalogue touch",
    );
  addCatalogueFileCommands(catalogue, io);
  catalogue
    .command("touch")
    .description("make the service read the catalogue anew, whatever it has kept of it")
    .addHelpText("after", help)
    .action(() =>
      withMigratedDatabase(commandSettings(io), async (databaseUrl) => {
        await withClient(databaseUrl, touchCatalogue);
        print(io, "Whatever was kept of the catalogue is read anew");
      }),
    );
}
