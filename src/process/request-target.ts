/**
 * The path and query of a request's target, which may also be an absolute URL (RFC 9112 section 3.2.2).
 * Anything else becomes a path that matches no route, because the router can't handle it.
 */
export function originForm(target: string): string {
  if (target.startsWith("/") || target === "*") return target;
  if (!URL.canParse(target)) return `/${target}`;
  const authority = target.indexOf("://") + "://".length;
  const path = target.slice(authority).replace(/[^/?]*/, "");
  return path.startsWith("/") ? path : `/${path}`;
}
