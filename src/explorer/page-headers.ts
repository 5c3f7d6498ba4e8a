/**
 * Headers of a page. Scripts and requests are limited to this service. Only styles may be inline: in a `<style>` that
 * carries the nonce, and in attributes where the page needs that, as the search field of GraphiQL's editor does.
 *
 * @param nonce a fresh value for each answer
 */
export const pageHeaders = (
  nonce: string,
  hasStyleAttributes: boolean,
): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ...(hasStyleAttributes ? ["style-src-attr 'unsafe-inline'"] : []),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});
