import { createReadStream } from "node:fs";
import path from "node:path";
import { Option, type Command } from "commander";
import { assertOwnSession } from "../database/checks/pooler";
import { withClient } from "../database/connection/with-client";
import { touchCatalogue } from "../database/statements/touch-catalogue";
import { catalogueColumns, catalogueLines, inBatches } from "../files/catalogue-lines";
import type { Format } from "../files/file-text";
import { badLinesReport, countsReport, differenceReport } from "../files/report";
import { utf8Text } from "../files/text";
import { decimalFields } from "../services/catalogue/import-export/entries";
import { exportCatalogue } from "../services/catalogue/import-export/export-catalogue";
import {
  importCatalogue,
  type ImportOutcome,
} from "../services/catalogue/import-export/import-catalogue";
import { inWriteContext, currentWriteContext, type WriteContext } from "../vocabulary/current-work";
import { OperatorError } from "../vocabulary/errors";
import { commandSettings, withMigratedDatabase } from "./database";
import {
  destinationOf,
  formatOf,
  formatOption,
  withExportOptions,
  writeExport,
  type ExportOptions,
} from "./files/export-file";
import { fileError } from "./files/output";
import { print, type Io } from "./io";

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
    .description("make the service read the catalogue anew, whatever it has cached of it")
    .addHelpText("after", help)
    .action(() =>
      withMigratedDatabase(commandSettings(io), async (databaseUrl) => {
        await withClient(databaseUrl, touchCatalogue);
        print(io, "Whatever was cached of the catalogue is read anew");
      }),
    );
}

const exportHelp = `
The file has all categories and products as they are at one moment. Without a file, or with -, it is written
to standard output. With --excel, a double-click opens it in a country with decimal commas, and an import
reads it as well. docs/catalogue-files.md describes the formats.

Examples:
  npm run tea -- catalogue export catalogue.csv
  npm run tea -- catalogue export catalogue.csv --excel --force
  npm run --silent tea -- catalogue export --format jsonl | gzip > catalogue.jsonl.gz`;

const importHelp = `
Categories and products of the file are created or, if their slug exists, changed to what the file says. All
others stay as they are. CSV may be separated by commas, semicolons or tabs. Either all of the file is stored
or, if a line is wrong, nothing. With -, it is read from standard input. docs/catalogue-files.md describes the
formats.

An import keeps nobody waiting: if others change what it has changed, it starts anew, and gives up after some
attempts. With --insist it goes on; changes of the same products may then be answered with status 503.

Examples:
  npm run tea -- catalogue import catalogue.csv --dry-run
  npm run tea -- catalogue import catalogue.csv
  gunzip -c catalogue.jsonl.gz | npm run --silent tea -- catalogue import - --format jsonl`;

function addCatalogueFileCommands(catalogue: Command, io: Io): void {
  withExportOptions(catalogue.command("export"))
    .description("write all categories and products to a file")
    .addHelpText("after", exportHelp)
    .action((file: string, options: ExportOptions) => runExport(file, options, io));
  catalogue
    .command("import")
    .description("create and change categories and products as a file says")
    .argument("<file>", "the file to read")
    .addOption(formatOption())
    .option("--dry-run", "store nothing, and show what would be created and changed")
    .addOption(new Option("--insist", "do not give way to others").conflicts("dryRun"))
    .addHelpText("after", importHelp)
    .action((file: string, options: ImportChoice) => runImport(file, options, io));
}

/** The most changes that an import prints. */
const MOST_CHANGES = 50;

interface ImportChoice {
  readonly format?: Format;
  readonly dryRun?: boolean;
  readonly insist?: boolean;
}

async function runExport(file: string, options: ExportOptions, io: Io): Promise<void> {
  const target = {
    ...destinationOf(file, options),
    columns: catalogueColumns,
    decimals: decimalFields,
  };
  await withMigratedDatabase(commandSettings(io), (databaseUrl) =>
    withClient(databaseUrl, (client) =>
      exportCatalogue(client, (batches) => writeExport(batches, target, io)),
    ),
  );
}

async function runImport(file: string, options: ImportChoice, io: Io): Promise<void> {
  const format = formatOf(file, options.format);
  const { dryRun = false, insist = false } = options;
  const lines = inBatches(catalogueLines(format, utf8Text(chunksOf(file, io))));
  const outcome = await withMigratedDatabase(commandSettings(io), (databaseUrl) =>
    withClient(databaseUrl, async (client) => {
      await assertOwnSession(client, databaseUrl);
      return inWriteContext(writeContextOf(file), () =>
        importCatalogue(client, lines, {
          ...{ dryRun, givesWay: !insist, mostChanges: MOST_CHANGES },
          onProgress: () => undefined,
        }),
      );
    }),
  );
  report(outcome, dryRun, io);
}

/** Where the changes of an import come from: the command, and the name of its file. */
function writeContextOf(file: string): WriteContext {
  const writeContext = currentWriteContext();
  if (!writeContext) throw new Error("A command says where its changes come from");
  return { ...writeContext, source: file === "-" ? "standard input" : path.basename(file) };
}

/** @throws OperatorError if lines are wrong */
function report(outcome: ImportOutcome, dryRun: boolean, io: Io): void {
  const { total } = outcome.badLines;
  if (total > 0) {
    const lines = total === 1 ? "A line is" : `${total.toLocaleString("en-US")} lines are`;
    for (const line of badLinesReport(outcome.badLines)) print(io, line);
    throw new OperatorError(`${lines} wrong; nothing was imported`);
  }
  for (const line of differenceReport(outcome)) print(io, line);
  for (const line of countsReport(outcome)) print(io, line);
  if (dryRun) print(io, "Nothing was stored, because this was a dry run");
}

/**
 * Reads a file or, if the name is `-`, standard input. Opens it only when the first chunk is asked for.
 *
 * @throws OperatorError if it can't be read
 */
async function* chunksOf(file: string, { stdin }: Io): AsyncGenerator<Uint8Array> {
  try {
    yield* file === "-" ? stdin : createReadStream(file);
  } catch (error) {
    throw fileError(file === "-" ? "Standard input" : file, error);
  }
}
