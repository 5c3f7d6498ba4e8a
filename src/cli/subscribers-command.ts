import type { Command } from "commander";
import { withClient } from "../database/connection/with-client";
import { exportedColumns, exportSubscribers } from "../services/newsletter/export-subscribers";
import { SubscriptionTokens } from "../services/newsletter/subscription-tokens";
import { commandSettings, serviceSettings, withMigratedDatabase } from "./database";
import {
  writeExport,
  destinationOf,
  withExportOptions,
  type ExportOptions,
} from "./files/export-file";
import type { Io } from "./io";

const help = `
Without a file, or with -, it is written to standard output. Files that are created can be read by their
owner alone. isActive is false for those who have unsubscribed, or not confirmed; nothing may be sent to them.

With --with-tokens, each has an unsubscribeToken, for the link in each message that another system sends to it: the
mutation unsubscribe takes it. Whoever has the file can end all subscriptions.

Examples:
  npm run tea -- subscribers export subscribers.csv
  npm run --silent tea -- subscribers export --format jsonl --with-tokens`;

export function addSubscriberCommands(program: Command, io: Io): void {
  const subscribers = program
    .command("subscribers")
    .description("write newsletter subscribers to a file")
    .addHelpText("after", "\nExample:\n  npm run tea -- subscribers export subscribers.csv");
  withExportOptions(subscribers.command("export"))
    .description("write all newsletter subscribers to a file, active or not")
    .option("--with-tokens", "add the token by which each can unsubscribe")
    .addHelpText("after", help)
    .action((file: string, options: SubscriberOptions) => run(file, options, io));
}

interface SubscriberOptions extends ExportOptions {
  readonly withTokens?: boolean;
}

async function run(file: string, options: SubscriberOptions, io: Io): Promise<void> {
  const { withTokens = false } = options;
  const columns = [...exportedColumns, ...(withTokens ? ["unsubscribeToken"] : [])];
  const target = { ...destinationOf(file, options), columns };
  const settings = commandSettings(io);
  await withMigratedDatabase(settings, async (databaseUrl) => {
    const tokens = withTokens
      ? new SubscriptionTokens((await serviceSettings(settings, databaseUrl)).data)
      : undefined;
    await withClient(databaseUrl, (client) =>
      exportSubscribers(client, (batches) => writeExport(batches, target, io), tokens),
    );
  });
}
