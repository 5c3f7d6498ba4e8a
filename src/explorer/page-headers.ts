/**
 * Headers of the explorer's page. Scripts and requests are this service's own; inline there are only
 * styles: GraphiQL's dialogs add a `<style>` that carries the nonce, its editor's search field has a
 * `style` attribute.
 *
 * @param nonce a value of one answer only
 */
export const pageHeaders = (nonce: string): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});
