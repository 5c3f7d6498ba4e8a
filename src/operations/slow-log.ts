import type { Logger } from "pino";
import { withoutValues } from "./statement-text";

/** Logs each statement that takes so many milliseconds; undefined: none, and no statement is timed. */
export const slowLog = (logger: Logger, from: number | undefined) =>
  from === undefined
    ? undefined
    : {
        from,
        report: (statement: string, duration: number): void => {
          const milliseconds = Math.round(duration);
          logger.warn({ milliseconds, statement: withoutValues(statement) }, "slow statement");
        },
      };
