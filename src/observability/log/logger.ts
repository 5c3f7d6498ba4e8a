import pino, { stdTimeFunctions, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../../config/settings";
import { currentRequest } from "../../http/request/request-context";
import { describeError } from "./describe-error";
import { inTurns } from "./line-buffer";
import { masked } from "./masks";

let standardOutput: DestinationStream | undefined;

/**
 * A logger that writes one JSON object a line, with the level's name, ISO 8601 times in UTC and masked
 * secrets. Each line that is written for a request has its id, trace and operation. JSON escapes line
 * breaks, so that no value can forge a line.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = (standardOutput ??= inTurns(process.stdout)),
): Logger {
  const stream = { write: (line: string) => destination.write(masked(line)) };
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      mixin: () => ({ ...currentRequest() }), // a copy, because pino adds the line's own members to it
      serializers: { err: describeError },
    },
    stream,
  );
}
