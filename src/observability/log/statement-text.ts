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

const LONGEST = 4_000;

/** A value of SQL: a text in one of its three forms, or a number. Or else, captured, a name or a placeholder. */
const TOKEN =
  /[eE]'(?:[^'\\]|''|\\.)*'?|'(?:[^']|'')*'?|\$([a-zA-Z_]\w*)?\$.*?(?:\$\1\$|$)|[0-9][\w.]*|("(?:[^"]|"")*"?|[\w$\u0080-\uffff]+)/gs;

/**
 * A statement for the log: on one line, with `?` for each value, so that only placeholders and names are left.
 * Handwritten statements have their values apart, but Sequelize writes some values into the text.
 */
export function withoutValues(sql: string): string {
  const line = sql
    .slice(0, LONGEST)
    .replace(TOKEN, (_value, _tag, name?: string) => name ?? "?")
    .replace(/\s+/g, " ")
    .trim();
  return sql.length > LONGEST ? `${line}… (${sql.length} characters, cut)` : line;
}
