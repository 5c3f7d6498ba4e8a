import { Router, type RequestHandler } from "express";
import type { HttpSettings } from "../config/settings";
import { jsonBody } from "../http/json-body";
import type { Services } from "../services";
import { authRoutes } from "./auth";
import { guardedBy } from "./guard";
import { categoryRoutes } from "./categories";
import { orderRoutes } from "./orders";
import { productRoutes } from "./products";

/** All endpoints of the REST API (contract 4). `admit` runs before every route. */
export function restRoutes(
  services: Services,
  admit: RequestHandler,
  { bodyLimit }: HttpSettings,
): Router {
  const guard = guardedBy(services.authentication);
  const body = jsonBody(bodyLimit);
  const router = Router();
  router.use(admit);
  router.use(authRoutes(services.authentication, guard, body));
  router.use(categoryRoutes(services.categories, guard, body));
  router.use(productRoutes(services, guard, body));
  router.use(orderRoutes(services.orders, services.limits.orders, guard, body));
  return router;
}
