import { Router } from "express";
import type { Settings } from "../config/settings";
import { jsonBody } from "../http/request/json-body";
import type { Services } from "../services";
import type { Operation } from "../services/operations";
import { addAuthRoutes } from "./auth";
import { ConditionalResponder } from "./conditional-responder";
import { guardedBy } from "./authorize";
import { addCategoryRoutes } from "./categories";
import { addOrderRoutes } from "./orders";
import { addProductRoutes } from "./products";

/** Reads that need no place in the queue for a connection if their answer is kept. */
const KEPT: ReadonlySet<Operation> = new Set([
  "categories",
  "products",
  "productsOfCategory",
  "product",
]);

/**
 * All endpoints of the REST API (contract 4), which are refused while the service is overloaded. They are in
 * one router, because Express takes longer through routers in routers.
 */
export function restRoutes(
  services: Services,
  isOverloaded: () => boolean,
  { http, catalogue }: Pick<Settings, "http" | "catalogue">,
): Router {
  const refuses = (operation: Operation): boolean =>
    !(services.catalogueCache && KEPT.has(operation)) && isOverloaded();
  const guard = guardedBy(services.authentication, refuses);
  const body = jsonBody(http.bodyLimit);
  const reads = new ConditionalResponder(services.catalogueCache, catalogue);
  const router = Router();
  addAuthRoutes(router, services.authentication, guard, body);
  addCategoryRoutes(router, services.categories, reads, guard, body);
  addProductRoutes(router, services, reads, guard, body);
  addOrderRoutes(router, services.orders, services.limits.orders, guard, body);
  return router;
}
