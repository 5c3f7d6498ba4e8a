import { parseEnv } from "node:util";

/** The variables that a file of settings sets, and the faults of the file. */
export interface EnvFile {
  readonly variables: NodeJS.Dict<string>;
  /** A line for each fault. No line quotes a value, because it may be a secret. */
  readonly faults: readonly string[];
}

/**
 * Reads the text of a file such as `.env`, as Node does. Lines that set nothing are faults, and are left out:
 * Node would take the next line as the rest of the name.
 */
export function readEnvFile(text: string): EnvFile {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const faults: string[] = [];
  const idle = new Set<number>();
  for (const { number, text: line } of settingLines(lines)) {
    if (SETTING.test(line)) continue;
    idle.add(number);
    faults.push(`Line ${number} of .env sets nothing: it must be NAME=value or # a comment`);
  }
  const setting = lines.filter((_, index) => !idle.has(index + 1));
  return { variables: parseEnv(setting.join("\n")), faults };
}

/** The beginning of a line that sets something. */
const SETTING = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=/;
const NOTHING = /^\s*(?:#|$)/;
const OPENING_QUOTE = /^[^=]*=\s*(["'`])/;

interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** The lines that ought to set something: not comments, and not the further lines of a quoted value. */
function settingLines(texts: readonly string[]): Line[] {
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  let valueEnds = 0;
  return lines.filter(({ number, text }) => {
    if (number <= valueEnds || NOTHING.test(text)) return false;
    const [opening = "", quote = ""] = OPENING_QUOTE.exec(text) ?? [];
    if (opening === "" || text.includes(quote, opening.length)) return true;
    const last = lines.find((line) => line.number > number && line.text.includes(quote));
    if (last) valueEnds = last.number;
    return true;
  });
}
