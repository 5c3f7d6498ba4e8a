/** Signals that end a command before it is done: Ctrl-C, a service manager, a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `undo` if a signal ends the process before the returned function is called. `undo` must be synchronous,
 * because the process ends right after it.
 */
export function onInterruption(undo: () => void): () => void {
  const interrupted = (signal: NodeJS.Signals): void => {
    undo();
    // Other listeners for the signal end the process themselves when they are done.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.prependOnceListener(signal, interrupted);
  return () => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
}
