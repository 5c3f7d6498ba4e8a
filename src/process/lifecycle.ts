/** Collects what a process opens while it starts, to be closed when it ends. */
export interface Lifecycle {
  /**
   * Adds what must be closed at the end; what was added last is closed first. Throws if the process was
   * asked to end in the meantime, which breaks off the start.
   */
  onEnd(close: () => Promise<void> | void): void;
  /** Reports a fault, and ends the process as a signal would, but with exit code 1. */
  fail(fault: unknown): void;
}

/** How a process runs. */
export interface ProcessOptions {
  /** Opens everything; a rejection ends the process with exit code 1. */
  readonly start: (lifecycle: Lifecycle) => Promise<void>;
  /** Reports a fault: a failed start, an uncaught error, a failed closing. */
  readonly report: (fault: unknown) => void;
  /** What ends the process. */
  readonly signals: readonly NodeJS.Signals[];
}

/** Longest wait, in milliseconds, for a start that is broken off. */
const START_BREAK_OFF_TIMEOUT = 8_000;

class Interrupted extends Error {}

/**
 * Starts a process and ends it in order: on the first signal with exit code 0, on a fault with 1. Further
 * signals change nothing. Each `close` function bounds its own time.
 */
export function runProcess({ start, report, signals }: ProcessOptions): void {
  const closers: (() => Promise<void> | void)[] = [];
  let ending = false;
  let exitCode = 0;

  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await Promise.race([starting, timeout(START_BREAK_OFF_TIMEOUT)]);
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (fault) {
        report(fault);
        exitCode = 1;
      }
    }
    process.exit(exitCode);
  };
  const fail = (fault: unknown): void => {
    report(fault);
    exitCode = 1;
    void end();
  };

  for (const signal of signals) process.on(signal, () => void end());
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);

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

const timeout = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
