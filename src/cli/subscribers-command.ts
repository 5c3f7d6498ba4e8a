import type { Command } from "commander";
import { withClient } from "../database/connection/with-client";
import { exportedColumns, exportSubscribers } from "../services/newsletter/export-subscribers";
import { withMigratedDatabase } from "./database";
import { writeExport } from "./files/export-file";
import { formatOf, formatOption, type Format } from "./files/format";
import type { Io } from "./io";
import { commandSettings } from "./settings";

const help = `
Without a file, or with -, it is written to standard output. Files that are created can be read by their
owner alone. isActive is false for those who have unsubscribed; nothing may be sent to them.

Examples:
  npm run tea -- subscribers export subscribers.csv
  npm run --silent tea -- subscribers export --format jsonl`;

export function addSubscriberCommands(program: Command, io: Io): void {
  program
    .command("subscribers")
    .description("write newsletter subscribers to a file")
    .addHelpText("after", "\nExample:\n  npm run tea -- subscribers export subscribers.csv")
    .command("export")
    .description("write all newsletter subscribers to a file, active or not")
    .argument("[file]", "the file to write", "-")
    .addOption(formatOption())
    .addHelpText("after", help)
    .action((file: string, { format }: { format?: Format }) => run(file, format, io));
}

async function run(file: string, format: Format | undefined, io: Io): Promise<void> {
  const target = { file, format: formatOf(file, format), columns: exportedColumns };
  await withMigratedDatabase(commandSettings(io), (databaseUrl) =>
    withClient(databaseUrl, (client) =>
      exportSubscribers(client, (exported) => writeExport(exported, target, io)),
    ),
  );
}
