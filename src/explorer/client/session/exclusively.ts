const LOCK = "tea-shop:token";

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs work with the token while no other such work runs in any tab of this browser. Over plain HTTP, where browsers
 * have no locks, that holds only for this tab.
 */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) return locks.request(LOCK, work);
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}
