import { Router, type RequestHandler } from "express";
import { ADMIN } from "../services/administrators/authentication";
import { OrderTerms } from "../services/orders/inputs/order-terms";
import { PlaceOrderInput } from "../services/orders/inputs/place-order-input";
import type { Orders } from "../services/orders/orders";
import type { RateLimit } from "../services/limits/rate-limit";
import { validate } from "../services/input/validate";
import type { RequireRole } from "./guard";
import { orderFilterParameters, pageParameters } from "./parameters";
import { limitedBy } from "./rate-limit";
import { presentOrder, presentPage, presentPlacedOrder } from "./presenters";

/** Customers' orders (spec.md section 4). */
export function orderRoutes(
  orders: Orders,
  limit: RateLimit,
  requireRole: RequireRole,
  body: RequestHandler,
): Router {
  const router = Router();

  router.post("/orders", limitedBy(limit), body, async (request, response) => {
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
