/** Why no whole answer came, in words for people. */
export class WebhookFault extends Error {
  override readonly name = "WebhookFault";
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
export function faultOf(error: unknown): string {
  if (error instanceof WebhookFault) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const word = String(code ?? name);
  if (/^(?:HPE_|HTTPParserError$)/.test(word)) return "the answer is not HTTP";
  if (/^(?:ERR_SSL_|EPROTO$)/.test(word)) return `no encryption could be agreed on (${word})`;
  return faults[word] ?? `failed (${word})`;
}
