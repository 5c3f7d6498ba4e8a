import type { Logger } from "pino";

/** Logs each statement that takes at least `from` milliseconds. If that is undefined, no statement is timed. */
export const slowLog = (logger: Logger, from: number | undefined) =>
  from === undefined
    ? undefined
    : {
        from,
        report: (statement: string, duration: number, hasFailed: boolean): void => {
          const line = {
            milliseconds: Math.round(duration),
            statement: withoutValues(statement),
            ...(hasFailed && { failed: true }),
          };
          logger.warn(line, "slow statement");
        },
      };

/** The most characters of a statement that are logged. */
const LONGEST = 4_000;

/**
 * A statement for the log: on one line, with `?` for each value, so that only placeholders and names are left.
 * Handwritten statements have their values apart, but Sequelize writes some values into the text.
 */
export function withoutValues(sql: string): string {
  const text = sql.slice(0, LONGEST);
  let result = "";
  for (let at = 0; at < text.length;) {
    const end = valueEnd(text, at);
    if (end > at) {
      result += "?";
      at = end;
    } else {
      const next = nameEnd(text, at);
      result += text.slice(at, next);
      at = next;
    }
  }
  const line = result.replace(/\s+/g, " ").trim();
  return sql.length > LONGEST ? `${line}… (${sql.length} characters, cut)` : line;
}

/** The end of the text or number that begins at `at`; `at` if none begins there. */
function valueEnd(text: string, at: number): number {
  const character = text.charAt(at);
  if (/[eE]/.test(character) && text[at + 1] === "'") return quotedEnd(text, at + 1, "\\");
  if (character === "'") return quotedEnd(text, at);
  if (character === "$") return dollarQuotedEnd(text, at);
  if (!/[0-9]/.test(character)) return at;
  let end = at + 1;
  while (/[\w.]/.test(text.charAt(end))) end += 1;
  return end;
}

/** The end of a name, of a placeholder such as `$1`, or of any other single character that is not a value. */
function nameEnd(text: string, at: number): number {
  if (text[at] === '"') return quotedEnd(text, at);
  let end = at;
  while (/[\w$\u0080-\uffff]/.test(text.charAt(end))) end += 1;
  return end > at ? end : at + 1;
}

/** The end of the quoted text that begins at `at`. A doubled quote does not end it. */
function quotedEnd(text: string, at: number, escape = ""): number {
  const quote = text[at];
  let end = at + 1;
  while (end < text.length) {
    if (text[end] === quote && text[end + 1] !== quote) return end + 1;
    end += text[end] === quote || text[end] === escape ? 2 : 1;
  }
  return text.length;
}

/** The end of a text such as `$$…$$` or `$tag$…$tag$`; `at` if none begins there. */
function dollarQuotedEnd(text: string, at: number): number {
  let end = at + 1;
  while (/\w/.test(text.charAt(end))) end += 1;
  if (text[end] !== "$" || /[0-9]/.test(text.charAt(at + 1))) return at;
  const tag = text.slice(at, end + 1);
  const close = text.indexOf(tag, end + 1);
  return close < 0 ? text.length : close + tag.length;
}
