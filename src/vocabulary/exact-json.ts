import { randomUUID } from "node:crypto";
import { createScanner, SyntaxKind } from "jsonc-parser";

/**
 * Matches every numeral that a double may not hold exactly: a double keeps 15 significant digits, with any
 * exponent of two digits. Other matches are harmless; they only cost a little time.
 */
const LONG_NUMERAL = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/** The text of long numerals, by the object or array that contains them and by their key in it. */
const numerals = new WeakMap<object, Map<string, string>>();

/**
 * The original text of a number from {@link parseJson} that a double may not hold exactly; undefined for
 * every other value.
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

/** Parses the JSON again, with long numbers as strings that begin with a mark that no client can guess. */
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
 * Turns the marked strings back into numbers and remembers their text. It uses a loop because recursion
 * could overflow the stack on nesting that JSON.parse can read.
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
