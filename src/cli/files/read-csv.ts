import { CsvError, parse } from "csv-parse";
import { OperatorError } from "../../vocabulary/errors";
import { fromCell } from "./formulas";
import { LONGEST_LINE } from "./text-lines";

/** A row of a CSV file, or the reason why it can't be read. */
export type CsvRow =
  | { readonly line: number; readonly cells: ReadonlyMap<string, string> }
  | { readonly line: number; readonly reason: string };

/**
 * The rows of a CSV file with these columns, in any order. Of a row of several lines, the number is that of
 * its first line. Blank lines are left out. After a fault in the quotes the rest can't be read.
 *
 * @throws OperatorError if the columns are not these
 */
export async function* readCsv(
  columns: { readonly all: readonly string[]; readonly optional: readonly string[] },
  parts: AsyncIterable<string>,
): AsyncGenerator<CsvRow> {
  let header: readonly string[] | undefined;
  for await (const record of records(parts)) {
    if ("reason" in record) {
      yield record;
      return;
    }
    if (isBlank(record.cells)) continue;
    if (header) yield { line: record.line, ...cellsOf(header, record.cells) };
    else header = checkedHeader(record.cells, columns);
  }
  if (!header) throw new OperatorError("The file is empty: it lacks the line with the columns");
}

type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly reason: string };

/** The records of a file and, if there is a fault in the quotes, that fault as the last one. */
async function* records(parts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let line = 1;
  // Not read from the parser as a stream, which would lose what it has read before a fault.
  const read: CsvRecord[] = [];
  const parser = parse({
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
    max_record_size: LONGEST_LINE,
    on_record: (cells: readonly string[], { lines }) => {
      read.push({ line, cells });
      line = lines + 1;
      return null;
    },
  });
  const settled = (act: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
  parser.on("error", () => undefined);
  try {
    for await (const part of parts) {
      await settled((done) => parser.write(part, done));
      yield* read.splice(0);
    }
    await settled((done) => parser.end(done));
    yield* read;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield* read;
    yield { line, reason: reasonOf(error) };
  }
}

const isBlank = (record: readonly string[]): boolean => record.length === 1 && record[0] === "";

function checkedHeader(
  header: readonly string[],
  { all, optional }: { readonly all: readonly string[]; readonly optional: readonly string[] },
): readonly string[] {
  const unknown = header.filter((name) => !all.includes(name));
  const missing = all.filter((name) => !optional.includes(name) && !header.includes(name));
  const repeated = header.filter((name, index) => header.indexOf(name) < index);
  const faults = [
    ...(unknown.length > 0 ? [`unknown: ${listed(unknown)}`] : []),
    ...(missing.length > 0 ? [`missing: ${listed(missing)}`] : []),
    ...(repeated.length > 0 ? [`more than once: ${listed(repeated)}`] : []),
  ];
  if (faults.length === 0) return header;
  throw new OperatorError(
    `The columns of the file are wrong (${faults.join("; ")}). They are, in any order: ${all.join(", ")}`,
  );
}

/** The first few names; those of a wrong file may be anything. */
const listed = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(", ");

function cellsOf(
  header: readonly string[],
  record: readonly string[],
): { readonly cells: ReadonlyMap<string, string> } | { readonly reason: string } {
  if (record.length !== header.length) {
    return { reason: `has ${record.length} cells instead of ${header.length}` };
  }
  return { cells: new Map(header.map((name, index) => [name, fromCell(record[index] ?? "")])) };
}

function reasonOf({ code }: CsvError): string {
  if (code === "CSV_MAX_RECORD_SIZE") return "is too long, or a quote is missing";
  if (code === "CSV_QUOTE_NOT_CLOSED") return "begins a quoted cell that does not end";
  return "has a quote in the wrong place: a cell with quotes is quoted, and its quotes are doubled";
}
