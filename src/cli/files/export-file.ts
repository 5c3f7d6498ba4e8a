import { type Command, Option } from "commander";
import { OperatorError } from "../../vocabulary/errors";
import { type OutputFile, writeOutput } from "./output";
import { note, print, type Io } from "../io";
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

/** Where the entries go, and how they are written. */
type Target<Entry extends object> = Destination & Shape<Entry>;

/**
 * Writes the entries to a file or to standard output, and says how many they are.
 *
 * @throws OperatorError if the file can't be written
 */
export async function writeExport<Entry extends object>(
  batches: AsyncIterable<readonly Entry[]>,
  { file, overwrites, format, ...shape }: Target<Entry>,
  io: Io,
): Promise<void> {
  const counts = { entries: 0 };
  const text = fileText(format, shape, counting(counts, "entries", batches));
  await writeText({ file, overwrites }, text, io);
  say(file, `Exported ${counts.entries.toLocaleString("en-US")} entries`, io);
}

/** Writes a text to a file, or to standard output, where a terminal gets it without control characters. */
export async function writeText(
  target: OutputFile,
  text: AsyncIterable<string>,
  io: Io,
): Promise<void> {
  const isOnTerminal = target.file === "-" && io.stdout.isTTY === true;
  await writeOutput(target, isOnTerminal ? printableLines(text) : text, io);
}

/** Says a line; not on standard output if that is the file itself. */
export const say = (file: string, line: string, io: Io): void =>
  file === "-" ? note(io, line) : print(io, line);

/** Customers wrote parts of the text. */
async function* printableLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) yield piece.split("\n").map(printable).join("\n");
}

/** Counts the entries of all batches under a name. */
export async function* counting<Name extends string, Entry>(
  counts: Record<Name, number>,
  name: Name,
  batches: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<readonly Entry[]> {
  for await (const batch of batches) {
    counts[name] += batch.length;
    yield batch;
  }
}
