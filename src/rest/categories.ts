import { Router, type RequestHandler } from "express";
import { ADMIN } from "../services/administrators/authentication";
import type { Categories } from "../services/catalogue/categories";
import { CreateCategoryInput } from "../services/catalogue/inputs/create-category-input";
import { UpdateCategoryInput } from "../services/catalogue/inputs/update-category-input";
import { validate } from "../services/input/validate";
import type { RequireRole } from "./guard";
import { idParameter } from "./parameters";
import { presentCategory } from "./presenters";

/** The categories of the catalogue (spec.md section 4). */
export function categoryRoutes(
  categories: Categories,
  requireRole: RequireRole,
  body: RequestHandler,
): Router {
  const router = Router();

  router.get("/categories", async (_request, response) => {
    response.json((await categories.list()).map(presentCategory));
  });

  router.post("/categories", requireRole(ADMIN), body, async (request, response) => {
    const input = validate(CreateCategoryInput, request.body as object);
    response.status(201).json(presentCategory(await categories.create(input)));
  });

  router.patch("/categories/:id", requireRole(ADMIN), body, async (request, response) => {
    const id = idParameter(request, "id");
    const input = validate(UpdateCategoryInput, request.body as object);
    response.json(presentCategory(await categories.update(id, input)));
  });

  router.delete("/categories/:id", requireRole(ADMIN), async (request, response) => {
    response.json(presentCategory(await categories.delete(idParameter(request, "id"))));
  });

  return router;
}
