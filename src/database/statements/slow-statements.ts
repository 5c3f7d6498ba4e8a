import { AsyncResource } from "node:async_hooks";
import type { StatementObserver } from "../connection/observed-client";

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
