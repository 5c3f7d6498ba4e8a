import { invalidInput } from "./errors";
import { invalid } from "./reasons";

/**
 * Matches every numeral that a double may not hold exactly: a double keeps 15 significant digits, with any
 * exponent of two digits. Other matches are harmless; they only cost a little time.
 */
const LONG_NUMERAL = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/** The most long numerals of a text: remembering many takes long, and no input has more than a few. */
const MOST_NUMERALS = 500;

/** The text of long numerals, by the object or array that contains them and by their key or index in it. */
const numerals = new WeakMap<object, Map<string | number, string>>();

/**
 * The original text of a number from {@link parseJson} that a double may not hold exactly; undefined for
 * every other value.
 *
 * @param key the index if the holder is an array
 */
export const numeralAt = (holder: object, key: string | number): string | undefined =>
  numerals.get(holder)?.get(key);

/**
 * Reads JSON exactly as JSON.parse does, and remembers the digits of long numbers.
 *
 * @throws SyntaxError; DomainError INVALID_INPUT if there are too many long numbers
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (LONG_NUMERAL.test(text)) rememberNumerals(text, value);
  return value;
}

/** Whether JSON in UTF-8 has more than `levels` objects and arrays within each other. It need not be valid. */
export function isNestedDeeper(json: Buffer, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** A place in the JSON: an object or array, and the key or index in it that is read next. */
interface Place {
  /** Undefined within the value of a repeated key that a later one has replaced. */
  readonly holder: Record<string | number, unknown> | undefined;
  readonly isArray: boolean;
  key: string | number;
}

/**
 * Reads valid JSON a second time, beside the value that it has become, and remembers long numerals. It uses a
 * loop because recursion could overflow the stack on nesting that JSON.parse can read.
 */
function rememberNumerals(text: string, value: unknown): void {
  const outer: Place[] = [];
  let place: Place = { holder: [value] as never, isArray: true, key: 0 };
  let isKeyNext = false;
  let count = 0;
  for (let at = 0; at < text.length;) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfString(text, at);
      if (isKeyNext) {
        place.key = JSON.parse(text.slice(at, end)) as string;
        isKeyNext = false;
        // The last value of a repeated key counts, and it may be no long numeral.
        if (place.holder) numerals.get(place.holder)?.delete(place.key);
      }
      at = end;
    } else if (character === MINUS || isDigit(character)) {
      const [end, isLong] = endOfNumeral(text, at);
      if (isLong) count += 1;
      if (count > MOST_NUMERALS) {
        throw invalidInput(
          invalid(`At most ${MOST_NUMERALS} numbers may have more than 15 digits`),
        );
      }
      if (isLong && place.holder) remember(place.holder, place.key, text.slice(at, end));
      at = end;
    } else {
      if (character === COMMA) {
        if (place.isArray) (place.key as number) += 1;
        else isKeyNext = true;
      } else if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
        outer.push(place);
        place = placeIn(place, character === OPEN_ARRAY);
        isKeyNext = !place.isArray;
      } else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) {
        place = outer.pop() ?? place;
        isKeyNext = false;
      }
      at += 1;
    }
  }
}

const [QUOTE, COMMA, MINUS, POINT, PLUS] = [0x22, 0x2c, 0x2d, 0x2e, 0x2b];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BACKSLASH = 0x5c;

const isDigit = (character: number): boolean => character >= 0x30 && character <= 0x39;

/** The beginning of the object or array at a place. */
function placeIn({ holder, key }: Place, isArray: boolean): Place {
  const inner = holder && Object.hasOwn(holder, key) ? holder[key] : undefined;
  const isMeant = typeof inner === "object" && inner !== null && Array.isArray(inner) === isArray;
  if (isMeant) numerals.delete(inner); // those of an earlier value of the same key
  return { holder: isMeant ? (inner as Place["holder"]) : undefined, isArray, key: 0 };
}

/** The place behind a string whose quote is at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end + 1; // otherwise the quote itself is escaped
  }
}

/** The place behind a numeral, and whether it is a {@link LONG_NUMERAL}. */
function endOfNumeral(text: string, start: number): [end: number, isLong: boolean] {
  let isLong = false;
  let run = 0;
  let most = 15;
  let end = start;
  for (; end < text.length; end += 1) {
    const character = text.charCodeAt(end);
    if (isDigit(character) || character === POINT) {
      run += 1;
      isLong ||= run > most;
    } else if (character === MINUS || character === PLUS) {
      run = 0;
    } else if (character === 0x65 || character === 0x45) {
      run = 0;
      most = 2; // digits of an exponent
    } else break;
  }
  return [end, isLong];
}

function remember(holder: object, key: string | number, numeral: string): void {
  const known = numerals.get(holder);
  if (known) known.set(key, numeral);
  else numerals.set(holder, new Map([[key, numeral]]));
}
