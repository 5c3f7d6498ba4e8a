/** The characters of an answer that are worth keeping. */
const LENGTH = 1_000;

/**
 * The beginning of an answer as text that the database can store. What is no UTF-8, and NUL characters, become
 * U+FFFD; no character is cut.
 */
export function answerText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).replaceAll("\0", "\u{FFFD}");
  return Array.from(text).slice(0, LENGTH).join("");
}

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

/** Why no whole answer came, in words for people. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
}

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  ETIMEDOUT: "no connection in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  EHOSTUNREACH: "host not reachable",
  ENETUNREACH: "network not reachable",
  ENOTFOUND: "name not found",
  EAI_AGAIN: "names can't be looked up now",
  UND_ERR_SOCKET: "connection closed before the whole answer came",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer is not as long as it says",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the answer are too long",
  CERT_HAS_EXPIRED: "certificate has expired",
  CERT_NOT_YET_VALID: "certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate is signed by an authority that nobody knows",
  UNABLE_TO_GET_ISSUER_CERT: "certificate is signed by an authority that nobody knows",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate is signed by an authority that nobody knows",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate comes without those that it is signed by",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate is for another name",
};

/** What went wrong, as a short text without anything that the receiver could have put in. */
export function failureOf(error: unknown): string {
  if (error instanceof WebhookFailure) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const word = String(code ?? name);
  if (/^(?:HPE_|HTTPParserError$)/.test(word)) return "the answer is not HTTP";
  if (/^(?:ERR_SSL_|EPROTO$)/.test(word)) return `no encryption could be agreed on (${word})`;
  return faults[word] ?? `failed (${word})`;
}
