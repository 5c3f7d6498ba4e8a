import type { TestApp } from "./app";
import { eventually } from "./eventually";

/** A line of the log, as far as tests look at it. */
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

/** What a search for a request's id finds, as soon as the line of the request is there. */
export const searchLog = (app: Pick<TestApp, "log">, id: string): Promise<LogLine[]> =>
  eventually(() => {
    const found = parsedLog(app.log.filter((line) => line.includes(id)));
    return found.some(isRequestLine) && found;
  });
