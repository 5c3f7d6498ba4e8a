import { Router, type RequestHandler } from "express";
import { ADMIN } from "../services/authentication-service";
import type { CategoryService } from "../services/category-service";
import { CreateCategoryInput } from "../services/inputs/create-category-input";
import { UpdateCategoryInput } from "../services/inputs/update-category-input";
import { validate } from "../services/validate";
import type { RequireRole } from "./authenticate";
import { idParameter } from "./parameters";
import { presentCategory } from "./presenters";

/** The categories of the catalogue (spec.md section 4). */
export function categoryRoutes(
  categories: CategoryService,
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
