import type { Categories } from "../services/catalogue/categories";
import {
  CreateCategoryInput,
  UpdateCategoryInput,
} from "../services/catalogue/inputs/category-input";
import type { ConditionalResponder } from "./conditional-responder";
import { idParameter, inputOf } from "./parameters";
import type { Serve } from "./routes";
import type { Reply } from "./middleware";
import { presentCategory } from "./presenters";

/** The categories of the catalogue (contract 4.categories). */
export function addCategoryRoutes(
  serve: Serve,
  categories: Categories,
  reads: ConditionalResponder,
  reply: Reply,
): void {
  serve("categories", async (request, response) => {
    await reads.answerWholeList(request, response, { key: "categories", list: categories.whole() });
  });

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
