import type { RequestHandler } from "express";
import { unavailable } from "../errors";

/**
 * Refuses requests while the service is overloaded, before any work is done for them: if refusals cost as
 * much as answers, no time would be left for answers.
 */
export const refuseWhile =
  (isOverloaded: () => boolean): RequestHandler =>
  (_request, _response, next) => {
    if (isOverloaded()) throw unavailable("connections");
    next();
  };
