import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { pathOf } from "../http/path-of";
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
 * one line when the request is over. Headers, bodies and queries are not logged: they contain secrets and
 * personal data.
 */
export const requestLog =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const given = request.get(HEADER);
    const id = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    const path = logged(pathOf(request.originalUrl));
    const { method } = request;
    const started = performance.now();
    response.set(HEADER, id);
    response.once("close", () => {
      const milliseconds = Math.round(performance.now() - started);
      const outcome = response.writableFinished ? "answered" : "cut off";
      logger.info({ id, method, path, status: response.statusCode, milliseconds }, outcome);
    });
    next();
  };
