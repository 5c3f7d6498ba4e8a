/**
 * The path and query of a request's target, which may be a whole address (RFC 9112 section 3.2.2).
 * What is neither becomes a path that nothing has: the router could not even refuse it.
 */
export function originForm(target: string): string {
  if (target.startsWith("/") || target === "*") return target;
  if (!URL.canParse(target)) return `/${target}`;
  const authority = target.indexOf("://") + "://".length;
  const end = authority + target.slice(authority).search(/[/?]/);
  if (end < authority) return "/";
  return target[end] === "/" ? target.slice(end) : `/${target.slice(end)}`;
}
