import type { RequestHandler, Router } from "express";
import { abandonmentOf } from "../http/request/abandonment";
import { sendJson } from "../http/answer/send-json";
import type { Services } from "../services";
import { CreateProductInput } from "../services/catalogue/inputs/create-product-input";
import { SetProductStatusInput } from "../services/catalogue/inputs/set-product-status-input";
import { validate } from "../services/input/validate";
import type { ConditionalResponder } from "./conditional-responder";
import type { GuardOf } from "./authorize";
import { idParameter, pageParameters } from "./parameters";
import { presentPage, presentProduct } from "./presenters";

/** The products of the catalogue (contract 4.products). */
export function addProductRoutes(
  router: Router,
  { products, categoryProducts }: Pick<Services, "products" | "categoryProducts">,
  reads: ConditionalResponder,
  guard: GuardOf,
  body: RequestHandler,
): void {
  router.get("/products", guard("products"), async (request, response) => {
    const part = pageParameters(request);
    await reads.answerList(response, `products?${part.page}&${part.pageSize}`, async () =>
      presentPage(await products.page(part), presentProduct),
    );
  });

  router.get(
    "/products/category/:categoryId",
    guard("productsOfCategory"),
    async (request, response) => {
      const id = idParameter(request, "categoryId");
      await reads.answerInParts(response, `products/category/${id}`, (receive) =>
        categoryProducts.read(id, receive, abandonmentOf(request, response)),
      );
    },
  );

  router.get("/products/:id", guard("product"), async (request, response) => {
    const id = idParameter(request, "id");
    await reads.answer(response, `products/${id}`, async () =>
      presentProduct(await products.get(id)),
    );
  });

  router.post("/products", guard("createProduct"), body, async (request, response) => {
    const input = validate(CreateProductInput, request.body as object);
    const product = await products.create(input);
    response.location(`/products/${product.id}`);
    sendJson(response, presentProduct(product), 201);
  });

  router.patch(
    "/products/:id/status",
    guard("setProductStatus"),
    body,
    async (request, response) => {
      const id = idParameter(request, "id");
      const { isActive } = validate(SetProductStatusInput, request.body as object);
      sendJson(response, presentProduct(await products.setStatus(id, isActive)));
    },
  );

  router.delete("/products/:id", guard("deleteProduct"), async (request, response) => {
    sendJson(response, presentProduct(await products.delete(idParameter(request, "id"))));
  });
}
