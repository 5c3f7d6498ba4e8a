import type { BadLines } from "../../services/catalogue/import-export/bad-lines";
import type { EntryChange } from "../../services/catalogue/import-export/shown-changes";
import type { ImportOutcome } from "../../services/catalogue/import-export/import-catalogue";
import type { Counts } from "../../services/catalogue/import-export/plan";
import { beside, printable } from "./shown";

const number = (count: number): string => count.toLocaleString("en-US");

/** The first bad lines of a file, by number and reason, and how many there are in all. */
export function badLinesReport({ first, total }: BadLines): string[] {
  const lines = first.map(({ line, reason }) => `line ${line}: ${printable(reason)}`);
  const more = total - first.length;
  return more > 0 ? [...lines, `and ${number(more)} more`] : lines;
}

/** What an import changes, field by field: the first entries, and how many more there are. */
export function differenceReport({ changes, categories, products }: ImportOutcome): string[] {
  const written = [categories, products].reduce(
    (sum, each) => sum + each.created + each.changed,
    0,
  );
  const more = written - changes.length;
  return [...changes.flatMap(changeLines), ...(more > 0 ? [`and ${number(more)} more`] : [])];
}

const changeLines = ({ type, slug, fields }: EntryChange): string[] => [
  `${fields.length === 0 ? "create" : "change"} ${type} ${slug}`,
  ...fields.map(({ field, from, to }) => `  ${field}: ${beside(from, to).join(" → ")}`),
];

/** The numbers of an import. */
export const countsReport = ({ categories, products }: ImportOutcome): string[] => [
  countsLine("Categories", categories),
  countsLine("Products", products),
];

const countsLine = (name: string, { created, changed, unchanged }: Counts): string =>
  `${name}: ${number(created)} created, ${number(changed)} changed, ${number(unchanged)} unchanged`;
