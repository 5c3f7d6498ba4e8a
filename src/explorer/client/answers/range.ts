import { pageSizeOf } from "./paging";
import type { SourcedTable } from "./sourced-table";
import { counted, headingOf, wordsOf } from "./words";

/** What a table shows: "Orders, 1–50 of 123", "Orders, none". */
export function captionOf(table: SourcedTable): string {
  return `${headingOf(nameOf(table))}, ${rangeOf(table)}`;
}

/** What an empty table says: "No orders." */
export const emptyText = (table: SourcedTable): string => `No ${wordsOf(nameOf(table))}.`;

/** The name of a list of products is that, whatever brings them. */
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
