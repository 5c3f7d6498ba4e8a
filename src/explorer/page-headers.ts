/**
 * Headers of the explorer's page. Scripts and requests are limited to this service. Only styles may be
 * inline: GraphiQL's dialogs add a `<style>` that carries the nonce, and its editor's search field has a
 * `style` attribute.
 *
 * @param nonce a fresh value for each answer
 */
export const pageHeaders = (nonce: string): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
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
