import pino, { stdTimeFunctions, type Logger } from "pino";
import type { LogLevel } from "../config";

/** A logger that writes one JSON object a line to the standard output, with ISO 8601 times in UTC. */
export const createLogger = (level: LogLevel): Logger =>
  pino({ level, base: null, timestamp: stdTimeFunctions.isoTime });
