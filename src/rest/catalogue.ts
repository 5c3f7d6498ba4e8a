import type { Services } from "../services";
import type { Categories } from "../services/catalogue/categories";
import {
  CreateCategoryInput,
  UpdateCategoryInput,
} from "../services/catalogue/inputs/category-inputs";
import {
  CreateProductInput,
  SetProductStatusInput,
} from "../services/catalogue/inputs/product-inputs";
import type { ConditionalResponder } from "./conditional-responder";
import { idParameter, inputOf, pageParameters } from "./parameters";
import { presentCategory, presentPage, presentProduct } from "./presenters";
import type { Reply, Serve } from "./routes";

/** The categories of the catalogue (contract 4.categories). */
export function addCategoryRoutes(
  serve: Serve,
  categories: Categories,
  reads: ConditionalResponder,
  reply: Reply,
): void {
  serve("categories", (request, response) =>
    reads.answerWholeList(request, response, { key: "categories", list: categories.whole() }),
  );

  serve("createCategory", async (request, response) => {
    const input = inputOf(CreateCategoryInput, request);
    await reply(response, presentCategory(await categories.create(input)), 201);
  });

  serve("updateCategory", async (request, response) => {
    const id = idParameter(request, "id");
    const input = inputOf(UpdateCategoryInput, request);
    await reply(response, presentCategory(await categories.update(id, input)));
  });

  serve("deleteCategory", async (request, response) => {
    await reply(response, presentCategory(await categories.delete(idParameter(request, "id"))));
  });
}

/** The products of the catalogue (contract 4.products). */
export function addProductRoutes(
  serve: Serve,
  { products, categories }: Pick<Services, "products" | "categories">,
  reads: ConditionalResponder,
  reply: Reply,
): void {
  serve("products", (request, response) => {
    const part = pageParameters(request);
    return reads.answer(response, {
      key: `products?${part.page}&${part.pageSize}`,
      read: async () => JSON.stringify(presentPage(await products.page(part), presentProduct)),
      isShared: true,
    });
  });

  serve("productsOfCategory", (request, response) => {
    const id = idParameter(request, "categoryId");
    const list = categories.productsOf(id);
    return reads.answerWholeList(request, response, { key: `products/category/${id}`, list });
  });

  serve("product", (request, response) => {
    const id = idParameter(request, "id");
    return reads.answer(response, {
      key: `products/${id}`,
      read: async () => JSON.stringify(presentProduct(await products.get(id))),
      isShared: false,
    });
  });

  serve("createProduct", async (request, response) => {
    const input = inputOf(CreateProductInput, request);
    const product = await products.create(input);
    response.location(`/products/${product.id}`);
    await reply(response, presentProduct(product), 201);
  });

  serve("setProductStatus", async (request, response) => {
    const id = idParameter(request, "id");
    const { isActive } = inputOf(SetProductStatusInput, request);
    await reply(response, presentProduct(await products.setStatus(id, isActive)));
  });

  serve("deleteProduct", async (request, response) => {
    await reply(response, presentProduct(await products.delete(idParameter(request, "id"))));
  });
}
