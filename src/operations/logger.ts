import pino, { stdTimeFunctions, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../config";

/** What must never stand in a log, wherever it comes from, and what stands there instead. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/(postgres(?:ql)?:\/\/[^:@/\s"]*:)[^@\s"]+@/g, "$1***@"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "[token]"],
  [/\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/g, "[hash]"],
  [/\\"[^"]*\\"@([\w.-]+)/g, "***@$1"], // a quoted local part, as JSON writes it
  [/([^\s"<>()=,;:@\\/*])[^\s"<>()=,;:@\\/*]*(@|%40)([\w.-]+)/gi, "$1***$2$3"],
];

/** Masks e-mail addresses, tokens, password hashes and passwords in connection strings. */
const masked = (line: string): string =>
  masks.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line);

/** Errors of the database carry statements and values beside their message: none of that is logged. */
const describeError = (error: unknown): unknown =>
  error instanceof Error ? { type: error.name, message: error.message, stack: error.stack } : error;

/**
 * A logger that writes one JSON object a line, with ISO 8601 times in UTC and without secrets.
 * JSON escapes line breaks, so that no value can forge a line.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = process.stdout,
): Logger {
  const stream = { write: (line: string) => destination.write(masked(line)) };
  const serializers = { err: describeError };
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, serializers }, stream);
}
