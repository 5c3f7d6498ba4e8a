import { Router } from "express";
import type { Settings } from "../config/settings";
import { jsonBody } from "../http/request/json-body";
import type { Services } from "../services";
import { operations } from "../services/operations";
import { addAuthRoutes } from "./auth";
import { addCategoryRoutes } from "./categories";
import { ConditionalResponder } from "./conditional-responder";
import { admitting, changing, limitedBy, reading, replyToChanges } from "./middleware";
import { addOrderRoutes } from "./orders";
import { addProductRoutes } from "./products";
import { routes, type Serve } from "./routes";

/** The verbs of the routes, as the router has them. */
type Verb = "get" | "post" | "patch" | "delete";

/**
 * All endpoints of the REST API (contract 4), which are refused while the service is overloaded. They are in
 * one router, because nested routers make Express slower.
 */
export function restRoutes(
  services: Services,
  { http, catalogue }: Pick<Settings, "http" | "catalogue">,
): Router {
  const router = Router();
  const body = jsonBody(http.bodyLimit);
  const serve: Serve = (operation, handler) => {
    const [method = "", path = ""] = routes[operation].split(" ");
    const { limit } = operations[operation];
    router[method.toLowerCase() as Verb](
      path,
      admitting(operation, services),
      ...(limit ? [limitedBy(services.limits[limit])] : []),
      ...(method === "POST" || method === "PATCH" ? [body] : []),
      ...(method === "GET"
        ? [reading(operation, services.replicas, handler)]
        : [changing(operation), handler]),
    );
  };
  const reads = new ConditionalResponder(services, catalogue);
  const reply = replyToChanges(services.replicas);
  addAuthRoutes(serve, services.authentication);
  addCategoryRoutes(serve, services.categories, reads, reply);
  addProductRoutes(serve, services, reads, reply);
  addOrderRoutes(serve, services.orders, reply);
  matchOnce(router);
  return router;
}

/** A member of Express's layers that its declarations leave out. */
interface Layer {
  match(path: string): boolean;
}

/**
 * Has each route match a path now. V8 makes the name of a parameter a property key when it is first used as one; if the
 * name is in the old generation by then, each further use takes about a microsecond longer.
 */
function matchOnce({ stack }: Router): void {
  for (const layer of stack) (layer as unknown as Layer).match(layer.route?.path ?? "/");
}
