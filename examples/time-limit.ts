/** A signal that ends a request after so many milliseconds, or with its own signal if that comes first. */
export const within = (milliseconds: number, own?: AbortSignal | null): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(milliseconds), ...(own ? [own] : [])]);
