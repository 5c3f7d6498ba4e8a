import { AsyncResource } from "node:async_hooks";
import type { Meter } from "../../vocabulary/meter";
import type { ObservedStatement, StatementObserver } from "./clients";

/** Receives each statement that took long. The text may contain values. */
export interface SlowStatements {
  /** The least duration to report, in milliseconds. */
  readonly from: number;
  readonly report: (statement: string, milliseconds: number, hasFailed: boolean) => void;
}

/** Reports each statement that took long to succeed or to fail, in the async context of its sender. */
export const slowStatements =
  ({ from, report }: SlowStatements): StatementObserver =>
  ({ text = "" }) => {
    const started = performance.now();
    return AsyncResource.bind((hasFailed: boolean) => {
      const milliseconds = performance.now() - started;
      if (milliseconds >= from) report(text, milliseconds, hasFailed);
    });
  };

/** First words by which statements are counted. Statements with any other first word are counted together. */
const kinds: ReadonlySet<string> = new Set([
  "select",
  "with",
  "insert",
  "update",
  "delete",
  "begin",
  "commit",
  "rollback",
]);

export const statementMeter = (meter: Pick<Meter, "statementEnded">): StatementObserver => {
  return (statement) => {
    const name = nameOf(statement);
    const started = performance.now();
    return (hasFailed) =>
      meter.statementEnded(name, (performance.now() - started) / 1000, hasFailed);
  };
};

function nameOf({ name, text = "" }: ObservedStatement): string {
  if (name !== undefined) return name;
  const word = text.trimStart().slice(0, 9).split(/\W/, 1)[0]?.toLowerCase() ?? "";
  return kinds.has(word) ? word : "other";
}
