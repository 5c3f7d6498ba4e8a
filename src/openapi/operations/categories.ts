import {
  CreateCategoryInput,
  UpdateCategoryInput,
} from "../../services/catalogue/inputs/category-input";
import type { ShopOperation } from "../operation";

const tag = "Categories";
const unknown = ["Category not found"];
const taken = ["Slug green-tea is already taken"];

export const categoryOperations: readonly ShopOperation[] = [
  {
    id: "categories",
    tag,
    summary: "List all categories",
    description: "Active or not, by name, letter case ignored. There are no pages.",
    answer: { status: 200, description: "All categories.", shape: "Categories" },
  },
  {
    id: "createCategory",
    tag,
    summary: "Create a category",
    body: { Input: CreateCategoryInput, example: { name: "Green tea" } },
    answer: { status: 201, description: "The new category.", shape: "Category" },
    refusals: { 400: [["name should not be empty"]], 409: taken },
  },
  {
    id: "updateCategory",
    tag,
    summary: "Change a category",
    description: "What is left out stays as it is. Renaming keeps the slug.",
    body: { Input: UpdateCategoryInput, example: { name: "Green teas" } },
    answer: { status: 200, description: "The category as it is now.", shape: "Category" },
    refusals: { 400: [["isActive must be a boolean value"]], 404: unknown, 409: taken },
  },
  {
    id: "deleteCategory",
    tag,
    summary: "Delete a category",
    description: "A category that has products stays.",
    answer: { status: 200, description: "The category as it was.", shape: "Category" },
    refusals: { 404: unknown, 409: ["Category 3 has products"] },
  },
];
