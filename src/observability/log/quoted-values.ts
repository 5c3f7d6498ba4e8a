/** The quotes in PostgreSQL's messages, in all its languages. */
const QUOTES = ['"', "«", "»", "„", "“", "”"];

/**
 * A message of PostgreSQL with `…` for everything between the first quote and the last one, because a value may
 * have quotes too.
 */
export function withoutQuoted(message: string): string {
  const found = QUOTES.map((quote) => message.indexOf(quote)).filter((at) => at >= 0);
  if (found.length === 0) return message;
  const first = Math.min(...found);
  const last = Math.max(...QUOTES.map((quote) => message.lastIndexOf(quote)));
  return `${message.slice(0, first + 1)}…${last > first ? message.slice(last) : ""}`;
}
