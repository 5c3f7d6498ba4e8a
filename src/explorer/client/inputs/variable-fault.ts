import { MISSING } from "../plain-words";
import { upperFirst } from "./names";

/** A message of graphql-js about the value of a variable, before anything runs. */
export interface VariableFault {
  readonly variable: string;
  /** The path in the value; empty for the value itself. */
  readonly path: readonly string[];
  readonly text: string;
}

const OPENING = 'Variable "$';

/**
 * Reads a message of graphql-js such as `Variable "$input" got invalid value "x" at
 * "input.items[0].quantity"; Int cannot represent non-integer value: "x"`. Undefined for other messages.
 */
export function variableFault(message: string): VariableFault | undefined {
  if (!message.startsWith(OPENING)) return undefined;
  const variable = message.slice(OPENING.length, message.indexOf('"', OPENING.length));
  const about = message.slice(OPENING.length + variable.length + 2);
  if (about.startsWith("of required type")) return { variable, path: [], text: MISSING };
  if (!about.startsWith("got invalid value")) {
    return { variable, path: [], text: upperFirst(about) };
  }
  const end = endOfValue(about);
  const reason = about.slice(end + 2);
  const path = pathIn(about.slice(0, end), variable);
  const missing = missingField(reason);
  return missing === undefined
    ? { variable, path, text: upperFirst(reason) }
    : { variable, path: [...path, missing], text: MISSING };
}

/** The end of the value and its path: the first semicolon that is not in quotes. */
function endOfValue(about: string): number {
  let isQuoted = false;
  for (let at = 0; at < about.length; at += 1) {
    const character = about[at];
    if (character === "\\") at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ";" && !isQuoted) return at;
  }
  return about.length;
}

/** The path after the value. Quotes in the value itself have a backslash. */
function pathIn(located: string, variable: string): string[] {
  const mark = ` at "${variable}`;
  const start = located.lastIndexOf(mark) + mark.length;
  if (start < mark.length || !located.endsWith('"')) return [];
  return located
    .slice(start, -1)
    .split(/[.[\]]/)
    .filter((part) => part !== "");
}

/** The name in `Field "quantity" of required type "Int!" was not provided.` */
function missingField(reason: string): string | undefined {
  const [, name, rest] = reason.split('"', 3);
  const isMissing = reason.startsWith('Field "') && rest?.startsWith(" of required type");
  return isMissing ? name : undefined;
}
