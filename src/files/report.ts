import type { BadLines } from "../services/catalogue/import-export/staging";
import type { ImportOutcome } from "../services/catalogue/import-export/import-catalogue";
import type { Counts, EntryChange } from "../services/catalogue/import-export/plan";

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

/** The most characters that are shown of a value. */
const MOST = 60;

/** Invisible characters, with which a text could change what a terminal shows elsewhere. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A text with its invisible characters escaped, on one line, so that a terminal can show it safely. */
export const printable = (text: string): string => text.replace(INVISIBLE, escaped);

/** The most characters of a text that is quoted. */
const LONGEST_QUOTE = 40;

/** The beginning of a text in quotes, safe for a terminal. */
export function quoted(text: string): string {
  const part = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return printable(JSON.stringify(part));
}

type Value = string | boolean | null;

/** Two values to be shown next to each other. Long texts are cut around the place where they begin to differ. */
function beside(from: Value, to: Value): [string, string] {
  const charactersOf = (value: Value) => Array.from(typeof value === "string" ? value : "");
  const [one, other] = [charactersOf(from), charactersOf(to)];
  const same = one.findIndex((character, index) => character !== other[index]);
  const begin = Math.max(0, (same === -1 ? one.length : same) - MOST / 2);
  const shown = (text: readonly string[]): string => {
    const part = JSON.stringify(text.slice(begin, begin + MOST).join("")).slice(1, -1);
    return `"${begin > 0 ? "…" : ""}${printable(part)}${text.length > begin + MOST ? "…" : ""}"`;
  };
  return [
    typeof from === "string" ? shown(one) : String(from),
    typeof to === "string" ? shown(other) : String(to),
  ];
}
