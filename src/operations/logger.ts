import pino, { stdTimeFunctions, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../config/settings";
import { masked } from "./masks";

/** Logs only these members, because errors of the database also carry statements and values. */
const describeError = (error: unknown): unknown =>
  error instanceof Error ? { type: error.name, message: error.message, stack: error.stack } : error;

/**
 * A logger that writes one JSON object a line, with ISO 8601 times in UTC and masked secrets. JSON escapes
 * line breaks, so that no value can forge a line.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = process.stdout,
): Logger {
  const stream = { write: (line: string) => destination.write(masked(line)) };
  const serializers = { err: describeError };
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, serializers }, stream);
}
