import type { Command } from "commander";
import { withClient } from "../database/connection/with-client";
import { exportedColumns, exportSubscribers } from "../services/newsletter/export-subscribers";
import { withMigratedDatabase, commandSettings } from "./database";
import {
  writeExport,
  destinationOf,
  withExportOptions,
  type ExportOptions,
} from "./files/export-file";
import type { Io } from "./io";

const help = `
Without a file, or with -, it is written to standard output. Files that are created can be read by their
owner alone. isActive is false for those who have unsubscribed; nothing may be sent to them.

Examples:
  npm run tea -- subscribers export subscribers.csv
  npm run --silent tea -- subscribers export --format jsonl`;

export function addSubscriberCommands(program: Command, io: Io): void {
  const subscribers = program
    .command("subscribers")
    .description("write newsletter subscribers to a file")
    .addHelpText("after", "\nExample:\n  npm run tea -- subscribers export subscribers.csv");
  withExportOptions(subscribers.command("export"))
    .description("write all newsletter subscribers to a file, active or not")
    .addHelpText("after", help)
    .action((file: string, options: ExportOptions) => run(file, options, io));
}

async function run(file: string, options: ExportOptions, io: Io): Promise<void> {
  const target = { ...destinationOf(file, options), columns: exportedColumns };
  await withMigratedDatabase(commandSettings(io), (databaseUrl) =>
    withClient(databaseUrl, (client) =>
      exportSubscribers(client, (exported) => writeExport(exported, target, io)),
    ),
  );
}
