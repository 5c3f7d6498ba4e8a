import type { ErrorRequestHandler, RequestHandler } from "express";
import { errorBodyOf, TransportError } from "../http/error-body";
import { pathOf } from "../http/path-of";
import { tellQuota } from "./rate-limit";
import { refusalOf } from "../services/refusals";

/** Answers what no route answers. */
export const notFound: RequestHandler = (request) => {
  throw new TransportError(404, `Cannot ${request.method} ${pathOf(request.originalUrl)}`);
};

/**
 * The one place where failures become REST answers, all in one shape (contract 7.shape). What is no
 * refusal is a fault of ours: reported, and answered without its cause.
 */
export function errorHandler(report: (fault: unknown) => void): ErrorRequestHandler {
  // Express tells error handlers by their four parameters.
  return (failure: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(failure);
      return;
    }
    const refusal = failure instanceof TransportError ? failure : refusalOf(failure);
    if (!refusal) report(failure);
    const body = errorBodyOf(refusal);
    if (refusal && !(refusal instanceof TransportError)) {
      const { retryAfter, tokenPresented, quota } = refusal.details;
      tellQuota(response, quota);
      if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
      if (tokenPresented !== undefined) {
        response.set(
          "WWW-Authenticate",
          tokenPresented ? 'Bearer error="invalid_token"' : "Bearer",
        );
      }
    }
    response.status(body.statusCode).json(body);
  };
}
