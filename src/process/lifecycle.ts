import { setTimeout } from "node:timers/promises";
import { leavePrimary } from "./workers";

/** Collects what a process opens while it starts, so that it is closed when the process ends. */
export interface Lifecycle {
  /**
   * Adds a function to call at the end; the last one added is called first. Throws if the process was asked
   * to end in the meantime, which aborts the start.
   */
  onEnd(close: () => Promise<void> | void): void;
  /** Reports a fault and ends the process like a signal, but with exit code 1. */
  fail(fault: unknown): void;
}

export interface ProcessOptions {
  /** Opens everything; a rejection ends the process with exit code 1. */
  readonly start: (lifecycle: Lifecycle) => Promise<void>;
  /** Reports a fault: a failed start, an uncaught error, a failed closing. */
  readonly report: (fault: unknown) => void;
  readonly signals: readonly NodeJS.Signals[];
}

/** Milliseconds to wait for a start that is aborted. */
const ABORT_TIMEOUT = 8_000;

class Interrupted extends Error {}

/**
 * Starts a process and shuts it down: on the first signal, such as SIGTERM, with exit code 0, on a fault
 * with 1. What was opened last is closed first. Further signals are ignored. There is no limit for the
 * functions of {@link Lifecycle.onEnd}: each must end in bounded time.
 */
export function runProcess({ start, report, signals }: ProcessOptions): void {
  const closers: (() => Promise<void> | void)[] = [];
  let ending = false;
  let exitCode = 0;

  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await Promise.race([starting, setTimeout(ABORT_TIMEOUT)]);
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (fault) {
        report(fault);
        exitCode = 1;
      }
    }
    await leavePrimary();
    process.exit(exitCode);
  };
  const fail = (fault: unknown): void => {
    report(fault);
    exitCode = 1;
    void end();
  };

  for (const signal of signals) process.on(signal, () => void end());
  process.on("uncaughtException", fail); // Node makes one of an unhandled rejection, too

  const starting = start({
    onEnd: (close) => {
      closers.push(close);
      if (ending) throw new Interrupted();
    },
    fail,
  }).catch((fault: unknown) => {
    if (!(fault instanceof Interrupted)) fail(fault);
  });
}
