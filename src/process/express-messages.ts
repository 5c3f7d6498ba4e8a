import {
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type ServerOptions,
} from "node:http";
import type { Express } from "express";

/** What serves requests: an Express application, or any function. */
export type Handler = RequestListener & Partial<Pick<Express, "request" | "response">>;

/**
 * The classes of the messages that a server creates for a handler. Express replaces the prototype of every
 * request and response by the application's `request` and `response`, after which V8 runs all code on them
 * more slowly. Messages of these classes have those prototypes from the start, so that nothing is replaced.
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
