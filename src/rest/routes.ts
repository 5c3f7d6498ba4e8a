import type { RequestHandler } from "express";
import type { Operation } from "../services/operations";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The routes of REST, each with its operation (contract 4). */
const table = {
  login: "POST /auth/login",

  categories: "GET /categories",
  createCategory: "POST /categories",
  updateCategory: "PATCH /categories/:id",
  deleteCategory: "DELETE /categories/:id",

  products: "GET /products",
  productsOfCategory: "GET /products/category/:categoryId",
  product: "GET /products/:id",
  createProduct: "POST /products",
  setProductStatus: "PATCH /products/:id/status",
  deleteProduct: "DELETE /products/:id",

  placeOrder: "POST /orders",
  orders: "GET /orders",
} as const satisfies Partial<Record<Operation, `${Method} /${string}`>>;

/** An operation that REST has. */
export type RestOperation = keyof typeof table;

export const routes: Readonly<Record<RestOperation, string>> = table;

/**
 * Adds the route of an operation. Before the handler runs, the request passes the checks that the table of
 * operations asks for: who may call it, and its rate limit. Then the body is read, if the method has one.
 */
export type Serve = (operation: RestOperation, handler: RequestHandler) => void;
