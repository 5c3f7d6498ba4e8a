import { setTimeout } from "node:timers/promises";
import { leaveMain } from "./workers";

/** Collects the resources that a process opens while it starts, and closes them when the process ends. */
export interface Lifecycle {
  /**
   * Adds a function to call at the end; the last one added is called first. Throws if the process was asked
   * to end in the meantime, which aborts the start.
   */
  onEnd(close: () => Promise<void> | void): void;
  /** Reports a failure and ends the process like a signal, but with exit code 1. */
  fail(error: unknown): void;
}

export interface ProcessOptions {
  /** Opens everything; a rejection ends the process with exit code 1. */
  readonly start: (lifecycle: Lifecycle) => Promise<void>;
  /** Reports a failure: a start or a closing that failed, or an uncaught error. */
  readonly report: (error: unknown) => void;
  readonly signals: readonly NodeJS.Signals[];
}

/** Milliseconds to wait until an aborted start has ended. */
const ABORT_TIMEOUT = 8_000;

class Interrupted extends Error {}

/**
 * Starts a process and shuts it down: on the first signal, such as SIGTERM, with exit code 0, on a failure with 1.
 * The resource that was opened last is closed first. Further signals are ignored. The functions of
 * {@link Lifecycle.onEnd} have no time limit: each must end in bounded time by itself.
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
      } catch (error) {
        report(error);
        exitCode = 1;
      }
    }
    await leaveMain();
    process.exit(exitCode);
  };
  const fail = (error: unknown): void => {
    report(error);
    exitCode = 1;
    void end();
  };

  for (const signal of signals) process.on(signal, () => void end());
  process.on("uncaughtException", fail); // unhandled rejections arrive here, too

  const starting = start({
    onEnd: (close) => {
      closers.push(close);
      if (ending) throw new Interrupted();
    },
    fail,
  }).catch((error: unknown) => {
    if (!(error instanceof Interrupted)) fail(error);
  });
}
