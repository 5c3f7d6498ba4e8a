import type { Command } from "commander";
import { OperatorError } from "../../vocabulary/errors";
import { formatOf, formatOption, type Format } from "./format";
import type { OutputFile } from "./output";

/** The values of the options that all exports have. */
export interface ExportOptions {
  readonly format?: Format;
  readonly excel?: boolean;
  readonly force?: boolean;
}

/** Where an export goes, and how it is written. */
export interface Destination extends OutputFile {
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
