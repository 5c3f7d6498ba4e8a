import type { IRouter } from "express";
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
 * Adds all endpoints of the REST API (contract 4), which are refused while the service is overloaded. They have no
 * router of their own, because each request would pass it too.
 */
export function addRestRoutes(
  app: IRouter,
  services: Services,
  { http, catalogue }: Pick<Settings, "http" | "catalogue">,
): void {
  const body = jsonBody(http.bodyLimit);
  const serve: Serve = (operation, handler) => {
    const [method = "", path = ""] = routes[operation].split(" ");
    const { limit } = operations[operation];
    app[method.toLowerCase() as Verb](
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
  const reply = replyToChanges(services);
  addAuthRoutes(serve, services.authentication);
  addCategoryRoutes(serve, services.categories, reads, reply);
  addProductRoutes(serve, services, reads, reply);
  addOrderRoutes(serve, services.orders, reply);
}
