import type { RequestHandler } from "express";
import { unavailable } from "../errors";

/**
 * Refuses requests while the service is overloaded, before anything is spent on them: refusals that
 * cost as much as answers would leave no time for answers.
 */
export const refuseWhile =
  (isOverloaded: () => boolean): RequestHandler =>
  (_request, _response, next) => {
    if (isOverloaded()) throw unavailable();
    next();
  };
