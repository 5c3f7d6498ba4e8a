import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { pathOf } from "../../http/request/path-of";
import { inRequest, type RequestContext } from "../../http/request/request-context";
import { traceOf } from "../../http/request/traceparent";
import { masked } from "./masks";

const HEADER = "X-Request-Id";

/** The most characters of a path that are logged. */
const PATH_LENGTH = 1000;

/** A path as it is logged. It is masked before it is cut, because half a secret would not be recognised. */
function logged(path: string): string {
  const text = masked(path);
  return text.length > PATH_LENGTH
    ? `${text.slice(0, PATH_LENGTH)}… (${path.length} characters, cut)`
    : text;
}

/**
 * Gives each request an id, or keeps the client's if it is plain, returns it in `X-Request-Id`, and logs
 * one line when the request is over. Every other line that is logged for the request has the same id, and
 * the trace of its `traceparent` header. Headers, bodies and queries are not logged: they contain secrets
 * and personal data.
 */
export const requestLog =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const context = contextOf(request);
    const path = logged(pathOf(request.originalUrl));
    const { method } = request;
    const started = performance.now();
    response.setHeader(HEADER, context.id);
    response.once("close", () => {
      const milliseconds = Math.round(performance.now() - started);
      const outcome = response.writableFinished ? "answered" : "cut off";
      // The event may come while another request of the connection is served.
      inRequest(context, () => {
        logger.info({ method, path, status: response.statusCode, milliseconds }, outcome);
      });
    });
    inRequest(context, next);
  };

function contextOf({ headers }: Request): RequestContext {
  const given = headers["x-request-id"];
  const id = typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  const { traceparent } = headers;
  return typeof traceparent === "string" ? { id, ...traceOf(traceparent) } : { id };
}
