import {
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type ServerOptions,
} from "node:http";
import type { Express } from "express";

/** Serves requests: an Express application, or any function. */
export type Handler = RequestListener & Partial<Pick<Express, "request" | "response">>;

/**
 * The classes of the requests and responses that a server creates for a handler. Express replaces the prototype of
 * every request and response by the application's `request` and `response`; from then on, V8 runs all code on them
 * more slowly. Objects of these classes have the application's prototypes from the start.
 */
export function messageClassesFor(handler: Handler): ServerOptions {
  if (!handler.request || !handler.response) return {};
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Of extends IncomingMessage> extends ServerResponse<Of> {}
  handler.request = inherit(ExpressRequest, handler.request);
  handler.response = inherit(ExpressResponse, handler.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Makes the prototype of a class inherit from `parent` instead of its base class, and returns it. */
const inherit = <T extends object>(Class: { prototype: object }, parent: T): T =>
  Object.setPrototypeOf(Class.prototype, parent) as T;
