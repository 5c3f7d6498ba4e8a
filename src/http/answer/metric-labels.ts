import type { Response } from "express";

/** What a door knows of its answer and neither the route nor the status says, for those who count answers. */
export interface MetricLabels {
  readonly door: string;
  /** Names that the service chooses, never ones of the client. */
  readonly operation: string;
  readonly code: string;
}

/** Notes something about the answer to a request. */
export function labelAnswer(response: Response, about: MetricLabels): void {
  response.locals.note = about;
}

export const metricLabelsOf = (response: Response): MetricLabels | undefined =>
  response.locals.note as MetricLabels | undefined;
