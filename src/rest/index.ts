import { Router, type RequestHandler } from "express";
import type { Settings } from "../config/settings";
import { jsonBody } from "../http/json-body";
import type { Services } from "../services";
import { authRoutes } from "./auth";
import { CatalogueReads } from "./catalogue-reads";
import { guardedBy } from "./guard";
import { categoryRoutes } from "./categories";
import { orderRoutes } from "./orders";
import { productRoutes } from "./products";

/** All endpoints of the REST API (contract 4). `admit` runs before every route. */
export function restRoutes(
  services: Services,
  admit: RequestHandler,
  { http, catalogue }: Pick<Settings, "http" | "catalogue">,
): Router {
  const guard = guardedBy(services.authentication);
  const body = jsonBody(http.bodyLimit);
  const reads = new CatalogueReads(services.catalogueCache, catalogue);
  const router = Router();
  router.use(admit);
  router.use(authRoutes(services.authentication, guard, body));
  router.use(categoryRoutes(services.categories, reads, guard, body));
  router.use(productRoutes(services, reads, guard, body));
  router.use(orderRoutes(services.orders, services.limits.orders, guard, body));
  return router;
}
