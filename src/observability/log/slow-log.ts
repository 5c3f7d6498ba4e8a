import type { Logger } from "pino";
import { withoutValues } from "./statement-text";

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
