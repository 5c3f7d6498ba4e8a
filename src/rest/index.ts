import type { IRouter } from "express";
import type { Settings } from "../config/settings";
import { sendJson } from "../http/answer/send";
import { abandonmentOf } from "../http/request/abandonment";
import { clientOf } from "../http/request/client-address";
import type { Services } from "../services";
import { LoginInput } from "../services/administrators/inputs";
import type { Logins } from "../services/administrators/logins";
import type { Orders } from "../services/orders/orders";
import { addCategoryRoutes, addProductRoutes } from "./catalogue";
import { ConditionalResponder } from "./conditional-responder";
import { inputOf, orderFilterParameters, orderOf, pageParameters } from "./parameters";
import { presentAccessToken, presentOrder, presentPage, presentPlacedOrder } from "./presenters";
import { replyToChanges, servingOn, type Reply, type Serve } from "./routes";

/**
 * Adds all endpoints of the REST API (contract 4). They have no router of their own, because each request would pass
 * it too.
 */
export function addRestRoutes(
  app: IRouter,
  services: Services,
  { http, catalogue }: Pick<Settings, "http" | "catalogue">,
): void {
  const serve = servingOn(app, services, http.bodyLimit);
  const reads = new ConditionalResponder(services, catalogue);
  const reply = replyToChanges(services);
  addAuthRoutes(serve, services.logins);
  addCategoryRoutes(serve, services.categories, reads, reply);
  addProductRoutes(serve, services, reads, reply);
  addOrderRoutes(serve, services.orders, reply);
}

/** Login of administrators (contract 4.login). */
function addAuthRoutes(serve: Serve, logins: Logins): void {
  serve("login", async (request, response) => {
    const input = inputOf(LoginInput, request);
    const from = clientOf(request);
    const token = await logins.login(input, from, { endsInCode: true });
    sendJson(response, presentAccessToken(token));
  });
}

/** Customers' orders (contract 4.orders). */
function addOrderRoutes(serve: Serve, orders: Orders, reply: Reply): void {
  serve("placeOrder", async (request, response) => {
    const { input, terms } = orderOf(request);
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
