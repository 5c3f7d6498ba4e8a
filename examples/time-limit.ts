/** A signal that ends a request after so many milliseconds, or with its own signal if that comes first. */
export function within(milliseconds: number, own?: AbortSignal | null): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  // Node forgets a time-out that only AbortSignal.any() knows, and the request would have no limit
  // (nodejs/node#57736). A listener keeps it.
  timeout.addEventListener("abort", () => undefined);
  return AbortSignal.any([timeout, ...(own ? [own] : [])]);
}
