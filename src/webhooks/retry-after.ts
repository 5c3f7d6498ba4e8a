/** The one form of a date that HTTP still allows to be sent (RFC 9110). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * The milliseconds for which a receiver asks in a header `Retry-After`, whose value is seconds or a date; null if
 * there is none, or another value.
 */
export function retryAfter(header: unknown, now: Date): number | null {
  if (typeof header !== "string") return null;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER);
  const date = HTTP_DATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? null : Math.max(date - now.getTime(), 0);
}
