import { AsyncResource } from "node:async_hooks";
import type { StatementObserver } from "../connection/observed-client";

/** Is told of each statement that took long; the text may have values in it. */
export interface SlowStatements {
  /** In milliseconds. */
  readonly from: number;
  readonly report: (statement: string, milliseconds: number, hasFailed: boolean) => void;
}

/** Reports each statement that took long to succeed or to fail, in the context of who sent it. */
export const slowStatements =
  ({ from, report }: SlowStatements): StatementObserver =>
  ({ text = "" }) => {
    const started = performance.now();
    return AsyncResource.bind((hasFailed: boolean) => {
      const milliseconds = performance.now() - started;
      if (milliseconds >= from) report(text, milliseconds, hasFailed);
    });
  };
