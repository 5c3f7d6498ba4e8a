import type { RequestHandler, Response } from "express";

/** What metrics count an answer as. All names are the service's own, never a client's. */
export interface MetricLabels {
  readonly door: string;
  readonly operation: string;
  /** By default the status. */
  readonly code?: string;
}

/** Labels the answer to a request; a later label replaces it. */
export function labelAnswer(response: Response, labels: MetricLabels): void {
  response.locals.metricLabels = labels;
}

/** The labels of an answer; undefined if the request came to no route. */
export const metricLabelsOf = (response: Response): MetricLabels | undefined =>
  response.locals.metricLabels as MetricLabels | undefined;

/** Labels the answers of a route that belongs to no door, such as `GET /health/live`. */
export function labelled(operation: string): RequestHandler {
  const labels = { door: "other", operation };
  return (_request, response, next) => {
    labelAnswer(response, labels);
    next();
  };
}
