import type { ErrorRequestHandler, RequestHandler } from "express";
import { errorBodyOf, TransportError } from "../http/answer/error-body";
import { type ErrorReports, loggedReason } from "../http/answer/failure-report";
import { recordError } from "../http/request/request-context";
import { pathOf } from "../http/request/well-formed";
import { sendJson } from "../http/answer/send";
import { setQuotaHeaders } from "./routes";
import { countUnavailable, refusalOf } from "../services/refusals";

export const notFound: RequestHandler = (request) => {
  throw new TransportError(404, `Cannot ${request.method} ${pathOf(request.originalUrl)}`);
};

/**
 * Turns every failure into a REST answer of the same shape (contract 7.shape). Failures other than refusals are
 * reported, and the answer does not reveal their cause. If the answer has begun already, its connection is
 * closed.
 */
export function errorHandler({ report, meter }: ErrorReports): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (failure: unknown, _request, response, _next) => {
    const refusal = failure instanceof TransportError ? failure : refusalOf(failure);
    if (refusal !== failure) report(failure, { status: refusal ? 503 : 500 });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = errorBodyOf(refusal);
    recordError(body.statusCode, { code: undefined, reason: loggedReason(refusal) });
    if (refusal && !(refusal instanceof TransportError)) {
      const { retryAfter } = refusal;
      const { tokenPresented, quota } = refusal.details;
      countUnavailable(refusal, meter);
      setQuotaHeaders(response, quota);
      if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
      if (tokenPresented !== undefined) {
        response.set(
          "WWW-Authenticate",
          tokenPresented ? 'Bearer error="invalid_token"' : "Bearer",
        );
      }
    }
    sendJson(response, body, body.statusCode);
  };
}
