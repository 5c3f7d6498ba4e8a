import type { TestApp } from "./app";
import { send, type Answer } from "./raw-http";

/** An operation that only an administrator may call, with a body that it would accept. */
export interface ProtectedOperation {
  readonly method: string;
  /** The path, with this id if it has an id. */
  readonly path: (id: number | string) => string;
  readonly body?: object;
}

/** The operations for administrators (contract 5.8). */
export const protectedOperations: Record<string, ProtectedOperation> = {
  "POST /categories": { method: "POST", path: () => "/categories", body: { name: "Oolong" } },
  "PATCH /categories/:id": {
    method: "PATCH",
    path: (id) => `/categories/${id}`,
    body: { name: "Oolong" },
  },
  "DELETE /categories/:id": { method: "DELETE", path: (id) => `/categories/${id}` },
  "POST /products": {
    method: "POST",
    path: () => "/products",
    body: { name: "Sencha", price: "1.00", categoryId: 1 },
  },
  "PATCH /products/:id/status": {
    method: "PATCH",
    path: (id) => `/products/${id}/status`,
    body: { isActive: false },
  },
  "DELETE /products/:id": { method: "DELETE", path: (id) => `/products/${id}` },
  "GET /orders": { method: "GET", path: () => "/orders" },
};

/** Calls an operation with an `Authorization` value, or without one. */
export function call(
  { url }: TestApp,
  { method, path, body }: ProtectedOperation,
  authorization: string | undefined,
  id: number | string = 1,
): Promise<Answer> {
  return send(url, {
    method,
    path: path(id),
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
