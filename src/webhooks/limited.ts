import { setMaxListeners } from "node:events";

/**
 * Runs the work until it settles. If time is up or a signal aborts before that, it rejects at once with the error for
 * it, and the signal that the work has got aborts, whether or not the work heeds it. `restart` starts the time anew.
 */
export async function limited<Result>(
  work: (signal: AbortSignal, restart: () => void) => Promise<Result>,
  limits: {
    readonly timeout: number;
    readonly timedOut: Error;
    readonly signals: readonly AbortSignal[];
    readonly cancelled: Error;
  },
): Promise<Result> {
  const { timeout, timedOut, signals, cancelled } = limits;
  if (signals.some(({ aborted }) => aborted)) throw cancelled;
  const stop = new AbortController();
  const cancel = (): void => stop.abort(cancelled);
  const timer = setTimeout(() => stop.abort(timedOut), timeout);
  for (const signal of signals) {
    // Many may share a signal, which Node takes for a leak.
    setMaxListeners(Infinity, signal);
    signal.addEventListener("abort", cancel);
  }
  try {
    return await new Promise<Result>((resolve, reject) => {
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason as Error));
      work(stop.signal, () => void timer.refresh()).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", cancel);
  }
}
