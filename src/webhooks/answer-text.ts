/** The characters of an answer that are worth keeping. */
const LENGTH = 1_000;

/**
 * The beginning of an answer as text that the database can store. What is no UTF-8, and NUL characters, become
 * U+FFFD; no character is cut.
 */
export function answerText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).replaceAll("\0", "\u{FFFD}");
  return Array.from(text).slice(0, LENGTH).join("");
}
