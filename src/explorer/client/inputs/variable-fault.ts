import { upperFirst } from "./names";

/** What GraphQL finds wrong with the value of a variable, before anything runs. */
export interface VariableFault {
  readonly variable: string;
  /** The path in the value; empty for the value itself. */
  readonly path: readonly string[];
  readonly text: string;
}

const OPENING = 'Variable "$';
const MISSING = "This must be filled in.";

/**
 * Reads a message of graphql-js such as `Variable "$input" got invalid value "x" at
 * "input.items[0].quantity"; Int cannot represent non-integer value: "x"`. Undefined for other messages.
 */
export function variableFault(message: string): VariableFault | undefined {
  if (!message.startsWith(OPENING)) return undefined;
  const end = message.indexOf('"', OPENING.length);
  if (end < 0) return undefined;
  const variable = message.slice(OPENING.length, end);
  const about = message.slice(end + 2);
  if (about.startsWith("of required type")) return { variable, path: [], text: MISSING };
  if (!about.startsWith("got invalid value")) {
    return { variable, path: [], text: upperFirst(about) };
  }
  const { path, reason } = located(about, variable) ?? { path: [], reason: lastPart(about) };
  const missing = fieldIn(reason);
  return missing === undefined
    ? { variable, path, text: upperFirst(reason) }
    : { variable, path: [...path, missing], text: MISSING };
}

/** The value that stands before is quoted as JSON, in which no quote follows `at` and begins the name. */
function located(about: string, variable: string): { path: string[]; reason: string } | undefined {
  for (const next of [".", "["]) {
    const mark = ` at "${variable}${next}`;
    const at = about.indexOf(mark);
    if (at < 0) continue;
    const start = at + mark.length - 1;
    const end = about.indexOf('"', start);
    if (end < 0) continue;
    const path = about
      .slice(start, end)
      .split(/[.[\]]/)
      .filter((part) => part !== "");
    return { path, reason: about.slice(end + 3) };
  }
  return undefined;
}

/** What follows the value, which may have semicolons itself. */
const lastPart = (about: string): string => about.slice(about.lastIndexOf("; ") + 2);

/** The field that is missing: `Field "quantity" of required type "Int!" was not provided.` */
function fieldIn(reason: string): string | undefined {
  const [, name, rest] = reason.split('"', 3);
  const isMissing = reason.startsWith('Field "') && rest?.startsWith(" of required type");
  return isMissing ? name : undefined;
}
