import { CsvError, parse, type Parser } from "csv-parse";
import { OperatorError } from "../vocabulary/errors";
import { fromCell, fromWholeHeader, namesOf, separatorOf, type Separator } from "./csv-cells";
import { quoted } from "./report";
import { LONGEST_LINE } from "./text";

/** A row of a CSV file, or the reason why it can't be read. */
export type CsvRow = CsvCells | { readonly line: number; readonly reason: string };

/** The cells of a row, by column. */
export interface CsvCells {
  readonly line: number;
  /** Under the empty name is the first text in a column without a name, if there is such a text. */
  readonly cells: ReadonlyMap<string, string>;
  /** The separator of the file. */
  readonly separator: Separator;
}

/** All columns of a file, and the ones that it may lack. */
interface CsvColumns {
  readonly all: readonly string[];
  readonly optional: readonly string[];
}

/**
 * The rows of a CSV file with these columns, in any order. A row of several lines has the number of its first
 * line. Blank lines are left out. The line with the columns tells the separator. After a mistake in the quotes,
 * the rest of the file can't be read.
 *
 * @throws OperatorError if the columns are not these
 */
export async function* readCsv(
  columns: CsvColumns,
  parts: AsyncIterable<string>,
): AsyncGenerator<CsvRow> {
  let header: readonly string[] | undefined;
  for await (const record of records(columns.all, parts)) {
    if ("reason" in record) {
      yield record;
      return;
    }
    if (isBlank(record.cells)) continue;
    const { line, separator } = record;
    if (header) yield { line, separator, ...cellsOf(header, record) };
    else header = checkedHeader(record, columns);
  }
  if (!header) throw new OperatorError("The file is empty: it lacks the line with the columns");
}

interface RecordCells extends Omit<CsvCells, "cells"> {
  readonly cells: readonly string[];
}

type CsvRecord = RecordCells | { readonly line: number; readonly reason: string };

/** The records of a file. If there is a mistake in the quotes, the last record is the reason. */
async function* records(
  names: readonly string[],
  parts: AsyncIterable<string>,
): AsyncGenerator<CsvRecord> {
  let line = 1;
  // The parser as a stream would lose the records that it has read before a mistake.
  const read: CsvRecord[] = [];
  const parserOf = (separator: Separator): Parser => {
    const opened = parse({
      delimiter: separator,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      max_record_size: LONGEST_LINE,
      on_record: (cells: readonly string[], { lines }) => {
        read.push({ line, cells, separator });
        line = lines + 1;
        return null;
      },
    });
    return opened.on("error", () => undefined);
  };
  const settled = (act: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
  let parser: Parser | undefined;
  try {
    for await (const part of fromWholeHeader(parts)) {
      const opened = (parser ??= parserOf(separatorOf(part, names)));
      await settled((done) => opened.write(part, done));
      yield* read.splice(0);
    }
    await settled((done) => (parser ? parser.end(done) : done()));
    yield* read;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield* read;
    yield { line, reason: reasonOf(error) };
  }
}

const isBlank = (record: readonly string[]): boolean => record.length === 1 && record[0] === "";

function checkedHeader(
  { cells: header, separator }: RecordCells,
  { all, optional }: CsvColumns,
): readonly string[] {
  const unknown = header.filter((name) => name !== NO_NAME && !all.includes(name));
  const missing = all.filter((name) => !optional.includes(name) && !header.includes(name));
  const repeated = header.filter((name, index) => name !== NO_NAME && header.indexOf(name) < index);
  const faults = [
    ...(unknown.length > 0 ? [`unknown: ${listed(unknown)}`] : []),
    ...(missing.length > 0 ? [`missing: ${listed(missing)}`] : []),
    ...(repeated.length > 0 ? [`more than once: ${listed(repeated)}`] : []),
  ];
  if (faults.length === 0) return header;
  const which =
    header.length > 1
      ? `The file is separated by ${namesOf(separator)}; its columns`
      : "The columns of the file";
  throw new OperatorError(
    `${which} are wrong (${faults.join("; ")}). They are, in any order: ${all.join(", ")}`,
  );
}

/** The first few names, quoted; a wrong file may have any names. */
const listed = (names: readonly string[]): string => names.slice(0, 10).map(quoted).join(", ");

/** The name of a column without a name. Spreadsheets leave such empty columns where cells were cleared. */
const NO_NAME = "";

function cellsOf(
  header: readonly string[],
  { cells, separator }: RecordCells,
): { readonly cells: ReadonlyMap<string, string> } | { readonly reason: string } {
  if (cells.length !== header.length) {
    return { reason: `has ${cells.length} cells instead of ${header.length}` };
  }
  const texts = new Map<string, string>();
  for (const [index, cell] of cells.entries()) {
    const name = header[index] ?? NO_NAME;
    if (name === NO_NAME && (cell === "" || texts.has(NO_NAME))) continue;
    texts.set(name, fromCell(cell, separator));
  }
  return { cells: texts };
}

function reasonOf({ code }: CsvError): string {
  if (code === "CSV_MAX_RECORD_SIZE") return "is too long, or a quote is missing";
  if (code === "CSV_QUOTE_NOT_CLOSED") return "begins a quoted cell that does not end";
  return "has a quote in the wrong place: a cell with quotes is quoted, and its quotes are doubled";
}
