import { fileText, type Row, type Shape } from "../files/file-text";
import type { ListExport } from "./exports";
import type { ExportTerms } from "./export-terms";

type Batches<Entry> = AsyncIterable<readonly Entry[]>;

/** Makes a spreadsheet read CSV as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** What of a list its file depends on. */
type Written<Entry extends object> = Omit<ListExport<never, Entry>, "Filter" | "read">;

/** The text of a file. `onRows` is called with the number of rows before they are a part of the text. */
export async function* exportText<Entry extends object>(
  list: Written<Entry>,
  terms: ExportTerms,
  batches: Batches<Entry>,
  onRows: (count: number) => void,
): AsyncGenerator<string> {
  const { format = "csv", rows = format === "csv" ? "items" : "orders" } = terms;
  const isWhole = rows === "orders";
  const { rowsOf = (entry: Entry) => [entry as Row] } = list;
  const counted = rowsIn(batches, isWhole ? (entry) => [entry as Row] : rowsOf, onRows);
  const columns = (isWhole && list.columnsOfWhole) || list.columns;
  if (terms.for !== "people") {
    yield* fileText(format, { columns, decimals: list.decimals }, counted);
    return;
  }
  const isForExcel = hasDecimalComma(terms.locale);
  if (!isForExcel) yield BYTE_ORDER_MARK;
  const people = forPeople(list, columns, terms.timeZone);
  yield* fileText(format, { ...people, isForExcel }, counted);
}

async function* rowsIn<Entry>(
  batches: Batches<Entry>,
  rowsOf: (entry: Entry) => readonly Row[],
  onRows: (count: number) => void,
): AsyncGenerator<Row[]> {
  for await (const batch of batches) {
    const rows = batch.flatMap(rowsOf);
    onRows(rows.length);
    yield rows;
  }
}

const hasDecimalComma = (locale = "en"): boolean =>
  new Intl.NumberFormat(locale).formatToParts(1.5).some(({ value }) => value === ",");

/** Headings, values in words, and local times in a form that spreadsheets of all countries know. */
function forPeople<Entry extends object>(
  { headings, words, decimals }: Written<Entry>,
  columns: readonly string[],
  timeZone = "UTC",
): Shape<Row> {
  const local = new Intl.DateTimeFormat("sv-SE", {
    ...{ timeZone, dateStyle: "short", timeStyle: "medium" },
  });
  const shown = Object.entries(headings).filter(([column]) => columns.includes(column));
  const cellOf = (column: string, value: Row[string]): Row[string] => {
    if (value === undefined) return undefined;
    if (column === "createdAt") return local.format(new Date(String(value)));
    const isCoded = column === "status" || column === "isActive";
    return isCoded ? (words[String(value)] ?? value) : value;
  };
  return {
    columns: shown.map(([, heading]) => heading),
    decimals: decimals.flatMap((column) => headings[column] ?? []),
    rowsOf: (row) => [
      Object.fromEntries(shown.map(([column, heading]) => [heading, cellOf(column, row[column])])),
    ],
  };
}
