import type { IRouter, Request, RequestHandler, Response } from "express";
import { SESSION_POSITION } from "../http/answer/headers";
import { sendJson } from "../http/answer/send";
import { addressOf } from "../http/request/client-address";
import { jsonBody } from "../http/request/json-body";
import {
  labelAnswer,
  nameAdministrator,
  nameOperation,
  writeContextOfRequest,
} from "../http/request/request-context";
import { bearerToken } from "../http/request/request-headers";
import type { Replicas } from "../reads/replicas";
import type { Services } from "../services";
import type { RateLimit } from "../services/limits/rate-limit";
import { everyone, operations, type Operation } from "../services/operations";
import { setWriteContext } from "../vocabulary/current-work";
import type { Quota } from "../vocabulary/errors";

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

/** @param bodyLimit bytes of the longest body, after decompression */
export function servingOn(app: IRouter, services: Services, bodyLimit: number): Serve {
  const body = jsonBody(bodyLimit);
  return (operation, handler) => {
    const [method = "", path = ""] = routes[operation].split(" ");
    const { limit } = operations[operation];
    app[method.toLowerCase() as Lowercase<Method>](
      path,
      admitting(operation, services),
      ...(limit ? [limitedBy(services.limits[limit])] : []),
      ...(method === "POST" || method === "PATCH" ? [body] : []),
      method === "GET" ? reading(operation, services.replicas, handler) : handler,
    );
  };
}

/**
 * The first handler of an operation's route: names the operation for log and metrics, and then checks the token of
 * the `Authorization` header (RFC 6750 section 2.1). Operations that are open to everyone ignore the header. Any string
 * is a role here, so that tests can use other roles. If the operation may change something, it sets the write context
 * of the handlers after it.
 */
export function admitting(
  operation: RestOperation,
  { authentication }: Pick<Services, "authentication">,
  access: typeof everyone | readonly string[] = operations[operation].access,
): RequestHandler {
  const labels = { door: "rest", operation: routes[operation] };
  const isPublic = access === everyone;
  const isRead = routes[operation].startsWith("GET ");
  const admit = (response: Response): void => {
    nameOperation(operation);
    labelAnswer(response, labels);
  };
  const setContext = (request: Request): void => {
    if (isRead) return;
    const address = addressOf(request);
    setWriteContext(writeContextOfRequest({ door: "REST", operation, address, isPublic }));
  };
  if (isPublic) {
    // Most requests come here. A promise for each would make them measurably slower.
    return (request, response, next) => {
      admit(response);
      setContext(request);
      next();
    };
  }
  return async (request, response, next) => {
    admit(response);
    const { id, email } = await authentication.authorize(
      bearerToken(request),
      access,
      operations[operation],
    );
    nameAdministrator(id, email);
    setContext(request);
    next();
  };
}

/** Counts every request against the limit of its client address, and answers with the remaining quota. */
const limitedBy =
  (limit: RateLimit): RequestHandler =>
  async (request, response, next) => {
    setQuotaHeaders(response, await limit.hit(addressOf(request)));
    next();
  };

/**
 * Sets the header fields of the IETF draft "RateLimit header fields for HTTP", version 10, and the three
 * fields of its early versions, which more clients understand.
 */
export function setQuotaHeaders(response: Response, quota: Quota | undefined): void {
  if (!quota) return;
  response.set({
    "RateLimit-Policy": `"${quota.name}";q=${quota.limit};w=${quota.seconds}`,
    RateLimit: `"${quota.name}";r=${quota.remaining};t=${quota.reset}`,
    "RateLimit-Limit": String(quota.limit),
    "RateLimit-Remaining": String(quota.remaining),
    "RateLimit-Reset": String(quota.reset),
  });
}

/** Lets a handler read from a replica. If the replica fails, the handler runs once more, at the primary. */
function reading(
  operation: RestOperation,
  replicas: Replicas | undefined,
  handler: RequestHandler,
): RequestHandler {
  if (!replicas) return handler;
  const hasTag = operations[operation].reads === "catalogue";
  return async (request, response, next) => {
    const route = await replicas.begin(request.get(SESSION_POSITION), { hasTag });
    if (!route) {
      await handler(request, response, next);
      return;
    }
    try {
      await handler(request, response, next);
    } catch (error) {
      if (!route.note(error) || response.headersSent || response.closed) throw error;
      route.release();
      await handler(request, response, next);
    }
  };
}

/** Sends the answer to a change that has been committed. */
export type Reply = (response: Response, body: object, status?: number) => Promise<void>;

/** Answers to changes say, where there are replicas, what their client must see from now on. */
export const replyToChanges =
  ({ afterChange }: Pick<Services, "afterChange">): Reply =>
  async (response, body, status = 200) => {
    const position = await afterChange();
    if (position !== undefined) response.set(SESSION_POSITION, position);
    sendJson(response, body, status);
  };
