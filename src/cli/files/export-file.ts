import { type Command, Option } from "commander";
import { OperatorError } from "../../vocabulary/errors";
import { type OutputFile, writeOutput } from "./output";
import { note, print, type Io } from "../io";
import { createBar } from "../progress";
import { fileText, formats, type Format, type Shape } from "../../files/file-text";
import { printable } from "../../files/report";

/** The values of the options that all exports have. */
export interface ExportOptions {
  readonly format?: Format;
  readonly excel?: boolean;
  readonly force?: boolean;
}

/** Where an export goes, and how it is written. */
interface Destination extends OutputFile {
  readonly format: Format;
  readonly isForExcel: boolean;
}

/** Adds the file argument, and the options that all exports have. */
export const withExportOptions = (command: Command): Command =>
  command
    .argument("[file]", "the file to write", "-")
    .addOption(formatOption())
    .option("--excel", "CSV for spreadsheets of countries with decimal commas")
    .option("--force", "overwrite the file if it exists");

/** @throws OperatorError if the format is not known, or if --excel contradicts it */
export function destinationOf(file: string, options: ExportOptions): Destination {
  const { excel: isForExcel = false, force: overwrites = false } = options;
  const format = formatOf(file, options.format, isForExcel ? "csv" : undefined);
  if (isForExcel && format !== "csv") {
    throw new OperatorError("--excel writes CSV, and not JSON lines (add --help for the options)");
  }
  return { file, overwrites, format, isForExcel };
}

const byExtension: Readonly<Record<string, Format>> = {
  csv: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
};

/**
 * The format: the named one, otherwise that of the file's extension, otherwise the one that other options imply.
 *
 * @throws OperatorError if none of these gives a format
 */
export function formatOf(file: string, named: Format | undefined, implied?: Format): Format {
  const [, extension = ""] = /\.([a-z]{1,10})$/i.exec(file) ?? [];
  const format = named ?? byExtension[extension.toLowerCase()] ?? implied;
  if (format) return format;
  const name =
    file === "-" ? "The format has to be named" : `The name ${file} does not tell the format`;
  throw new OperatorError(`${name}: add --format csv or --format jsonl`);
}

/** The option that names the format. */
export const formatOption = (): Option =>
  new Option("--format <format>", "the format; by default that of the file's name").choices(
    formats,
  );

/** The entries of an export. */
interface Exported<Entry extends object> {
  readonly total: number;
  readonly batches: AsyncIterable<readonly Entry[]>;
}

/** Where the entries go, and how they are written. */
type Target<Entry extends object> = Destination & Shape<Entry>;

/**
 * Writes the entries to a file or to standard output, and says how many they are.
 *
 * @throws OperatorError if the file can't be written
 */
export async function writeExport<Entry extends object>(
  { total, batches }: Exported<Entry>,
  { file, overwrites, format, ...shape }: Target<Entry>,
  io: Io,
): Promise<void> {
  const isOnTerminal = file === "-" && io.stdout.isTTY === true;
  const progress = createBar(io);
  try {
    const text = fileText(format, shape, watched(batches, onBatch));
    await writeOutput({ file, overwrites }, isOnTerminal ? printableLines(text) : text, io);
  } finally {
    progress.end();
  }
  // Standard output is the file itself.
  const say = file === "-" ? note : print;
  say(io, `Exported ${total.toLocaleString("en-US")} entries`);

  function onBatch(done: number): void {
    // On a terminal the entries themselves are the progress.
    if (!isOnTerminal) progress.show(done, total);
  }
}

/** The text without control characters, so that a terminal can show it: customers wrote parts of it. */
export async function* printableLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) yield piece.split("\n").map(printable).join("\n");
}

/** Calls `onBatch` with the number of entries so far. */
async function* watched<Entry>(
  batches: AsyncIterable<readonly Entry[]>,
  onBatch: (done: number) => void,
): AsyncGenerator<readonly Entry[]> {
  let done = 0;
  for await (const batch of batches) {
    done += batch.length;
    onBatch(done);
    yield batch;
  }
}
