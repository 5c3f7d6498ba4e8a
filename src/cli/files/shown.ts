/** The most characters that are shown of a value. */
const MOST = 60;

/** Characters that could change what a terminal shows elsewhere. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A text as a terminal may show it, on one line. */
export const printable = (text: string): string => text.replace(INVISIBLE, escaped);

/** The most characters of a text that is quoted. */
const LONGEST_QUOTE = 40;

/** The beginning of a text in quotes, as a terminal may show it. */
export function quoted(text: string): string {
  const part = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return printable(JSON.stringify(part));
}

type Value = string | boolean | null;

/** Two values, texts short enough to be read beside each other, from about where they begin to differ. */
export function beside(from: Value, to: Value): [string, string] {
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
