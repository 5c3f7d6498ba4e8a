import type { Logger } from "pino";
import { withoutValues } from "./statement-text";

/** Logs each statement that takes so many milliseconds; undefined: none, and no statement is timed. */
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
