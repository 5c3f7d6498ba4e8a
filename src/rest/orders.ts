import { Router, type RequestHandler } from "express";
import { ADMIN } from "../services/authentication-service";
import { OrderTerms } from "../services/inputs/order-terms";
import { PlaceOrderInput } from "../services/inputs/place-order-input";
import type { OrderService } from "../services/order-service";
import type { RateLimit } from "../services/rate-limit";
import { validate } from "../services/validate";
import type { RequireRole } from "./authenticate";
import { orderFilterParameters, pageParameters } from "./parameters";
import { countedBy } from "./rate-limit";
import { presentOrder, presentPage, presentPlacedOrder } from "./presenters";

/** Customers' orders (spec.md section 4). */
export function orderRoutes(
  orders: OrderService,
  limit: RateLimit,
  requireRole: RequireRole,
  body: RequestHandler,
): Router {
  const router = Router();

  router.post("/orders", countedBy(limit), body, async (request, response) => {
    const input = validate(PlaceOrderInput, request.body as object);
    const terms = validate(OrderTerms, {
      idempotencyKey: request.get("Idempotency-Key"),
      expectedTotal: request.get("Expected-Total"),
    });
    const placed = await orders.place(input, terms);
    if (placed.replayed) response.set("Idempotent-Replayed", "true");
    response.status(201).json(presentPlacedOrder(placed));
  });

  // The list holds customers' addresses, hence for administrators (contract.md).
  router.get("/orders", requireRole(ADMIN), async (request, response) => {
    const page = await orders.page(pageParameters(request), {
      filter: orderFilterParameters(request),
    });
    response.json(presentPage(page, presentOrder));
  });

  return router;
}
