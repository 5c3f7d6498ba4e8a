import { abandonmentOf } from "../http/request/abandonment";
import { sendJson } from "../http/answer/send";
import { OrderTerms, PlaceOrderInput } from "../services/orders/inputs";
import type { Orders } from "../services/orders/orders";
import { validate } from "../services/input/validate";
import { inputOf, orderFilterParameters, pageParameters } from "./parameters";
import type { Serve } from "./routes";
import type { Reply } from "./middleware";
import { presentOrder, presentPage, presentPlacedOrder } from "./presenters";

/** Customers' orders (contract 4.orders). */
export function addOrderRoutes(serve: Serve, orders: Orders, reply: Reply): void {
  serve("placeOrder", async (request, response) => {
    const input = inputOf(PlaceOrderInput, request);
    const terms = validate(OrderTerms, {
      idempotencyKey: request.get("Idempotency-Key"),
      expectedTotal: request.get("Expected-Total"),
    });
    const placed = await orders.place(input, terms);
    if (placed.replayed) response.set("Idempotent-Replayed", "true");
    await reply(response, presentPlacedOrder(placed), 201);
  });

  serve("orders", async (request, response) => {
    const page = await orders.page(pageParameters(request), {
      filter: orderFilterParameters(request),
      signal: abandonmentOf(request, response),
    });
    sendJson(response, presentPage(page, presentOrder));
  });
}
