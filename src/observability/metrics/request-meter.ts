import type { RequestHandler } from "express";
import { metricLabelsOf } from "../../http/request/request-context";
import type { Meter } from "../../vocabulary/meter";

/** The labels of requests that reached no route: most get 404, some are for files or were refused before. */
const NO_ROUTE = { door: "other", operation: "none", code: undefined };

const CUT_OFF = "cut off";

/** Counts requests and measures their time. Must be the first handler. */
export const requestMeter =
  (meter: Pick<Meter, "requestEnded">): RequestHandler =>
  (_request, response, next) => {
    const started = performance.now();
    response.on("close", () => {
      const seconds = (performance.now() - started) / 1000;
      const { door, operation, code } = metricLabelsOf(response) ?? NO_ROUTE;
      const ended = response.writableFinished ? (code ?? response.statusCode) : CUT_OFF;
      meter.requestEnded({ door, operation, code: ended }, seconds);
    });
    next();
  };
