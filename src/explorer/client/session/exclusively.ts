const LOCK = "tea-shop:token";

let last: Promise<unknown> = Promise.resolve();

/**
 * Does something with the token while no other does: in no tab of this browser, or, over plain HTTP, where
 * browsers have no locks, in this tab.
 */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) return locks.request(LOCK, work);
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}
