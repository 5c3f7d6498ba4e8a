import { randomUUID } from "node:crypto";
import { createScanner, SyntaxKind } from "jsonc-parser";

/**
 * Matches every numeral that a double may not hold exactly: a double keeps 15 significant digits, with any
 * exponent of two digits. Whatever else it matches costs a little time and changes nothing.
 */
const LONG_NUMERAL = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/** Long numerals by the object or list that they stand in, and their place in it. */
const numerals = new WeakMap<object, Map<string, string>>();

/**
 * The text of a number that {@link parseJson} has read, where it has more digits, or a greater exponent,
 * than its value may hold; undefined for every other value.
 */
export const numeralAt = (holder: object, key: string | number): string | undefined =>
  numerals.get(holder)?.get(String(key));

/**
 * Reads JSON exactly as JSON.parse does, and remembers the digits of long numbers.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return LONG_NUMERAL.test(text) ? parseNumerals(text, value) : value;
}

/** Parses the JSON again, with the long numbers as strings that begin with a mark which nobody can guess. */
function parseNumerals(text: string, value: unknown): unknown {
  const mark = randomUUID();
  const parts: string[] = [];
  const scanner = createScanner(text, true);
  let end = 0;
  for (let token = scanner.scan(); token !== SyntaxKind.EOF; token = scanner.scan()) {
    if (token !== SyntaxKind.NumericLiteral) continue;
    const start = scanner.getTokenOffset();
    const numeral = text.slice(start, start + scanner.getTokenLength());
    if (!LONG_NUMERAL.test(numeral)) continue;
    parts.push(text.slice(end, start), JSON.stringify(mark + numeral));
    end = start + numeral.length;
  }
  return end === 0 ? value : unmarked(JSON.parse(parts.join("") + text.slice(end)), mark);
}

/**
 * Turns the marked strings into numbers again, and remembers their digits. A loop, as recursion would
 * overflow where JSON.parse does not.
 */
function unmarked(value: unknown, mark: string): unknown {
  const root = { value };
  const pending: object[] = [root];
  for (let holder = pending.pop(); holder; holder = pending.pop()) {
    for (const [key, each] of Object.entries(holder) as [string, unknown][]) {
      if (typeof each === "object" && each !== null) pending.push(each);
      if (typeof each !== "string" || !each.startsWith(mark)) continue;
      const numeral = each.slice(mark.length);
      Reflect.set(holder, key, Number(numeral));
      numerals.set(holder, (numerals.get(holder) ?? new Map<string, string>()).set(key, numeral));
    }
  }
  return root.value;
}
