import { pageSizeOf } from "./paging";
import type { SourcedTable } from "./sourced-table";
import { counted, headingOf, wordsOf } from "./words";

/** The caption of a table: "Orders, 1–50 of 123", "Orders, none". */
export function captionOf(table: SourcedTable): string {
  return `${headingOf(nameOf(table))}, ${rangeOf(table)}`;
}

/** The text of an empty table: "No orders." */
export const emptyText = (table: SourcedTable): string => `No ${wordsOf(nameOf(table))}.`;

/** The name of the list; that of a connection without "Connection". */
const nameOf = ({ title, kind }: SourcedTable): string =>
  kind === "connection" ? title.replace(/Connection$/, "") : title;

function rangeOf(table: SourcedTable): string {
  const { rows, position, given } = table;
  const { total } = position;
  const count = rows.length;
  if (total === undefined) return counted(count, "row");
  if (total === 0 && count === 0) return "none";
  const page = position.page ?? given.get("page")?.value;
  const size = pageSizeOf(table);
  if (table.kind === "connection" || count === 0 || typeof page !== "number" || !size) {
    return `${count} of ${total}`;
  }
  const from = (page - 1) * size + 1;
  return `${from}–${from + count - 1} of ${total}`;
}
