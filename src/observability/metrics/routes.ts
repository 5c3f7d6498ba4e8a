import type { Router } from "express";

/** A route of the application, as a request has it in `request.route`. */
export type Route = object;

/** A route's place in the application. */
export interface RoutePlace {
  /** The method and the whole pattern, such as `GET /products/:id`; no method if it takes all. */
  readonly name: string;
  /** The routers around it, outermost first. */
  readonly routers: readonly Router[];
}

/** Members of Express's routers that its declarations leave out. */
interface Layer {
  /** The pattern that it was added with. */
  readonly rawPath: string | RegExp | readonly string[];
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: object;
}

/** All routes of a router and of the routers that are mounted in it. */
export function routesIn(router: Router, prefix = "", routers: readonly Router[] = []) {
  const routes = new Map<Route, RoutePlace>();
  for (const { rawPath, route, handle } of router.stack as unknown as readonly Layer[]) {
    const pattern = joined(prefix, rawPath);
    if (route) {
      const methods = Object.keys(route.methods).filter((method) => method !== "_all");
      const name = [methods.join("|").toUpperCase(), pattern].filter(Boolean).join(" ");
      routes.set(route, { name, routers });
    } else if (isRouter(handle)) {
      const inner = routesIn(handle, pattern === "/" ? "" : pattern, [...routers, handle]);
      for (const [each, place] of inner) routes.set(each, place);
    }
  }
  return routes;
}

/** The pattern of a path below a prefix. A regular expression is not repeated: it stands for any path. */
function joined(prefix: string, path: Layer["rawPath"]): string {
  if (path instanceof RegExp) return `${prefix}*`;
  const whole = `${prefix}${String(path)}`;
  return whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
}

const isRouter = (handle: object): handle is Router => "stack" in handle;
