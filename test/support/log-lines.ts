import type { TestApp } from "./app";
import { eventually } from "./eventually";

/** A log line, with the members that tests look at. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly id?: string;
  readonly operation?: string;
  readonly statement?: string;
  readonly err?: {
    readonly code?: string;
    readonly message: string;
    readonly stack: string;
    readonly statement?: string;
  };
  readonly [member: string]: unknown;
}

export const parsedLog = (log: readonly string[]): LogLine[] =>
  log.map((line) => JSON.parse(line) as LogLine);

/** Whether a line is the last one of a request, which says how it was answered. */
export const isRequestLine = ({ msg }: LogLine): boolean => ["answered", "cut off"].includes(msg);

/** The log lines with a request's id, as soon as the last line of the request is there. */
export const searchLog = (app: Pick<TestApp, "log">, id: string): Promise<LogLine[]> =>
  eventually(() => {
    const found = parsedLog(app.log.filter((line) => line.includes(id)));
    return found.some(isRequestLine) && found;
  });
