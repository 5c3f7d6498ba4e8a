import type { Meter } from "../../vocabulary/meter";

/** What the answer tells the client about a failure, instead of its cause. */
export interface FailureAnswer {
  readonly status: 500 | 503;
  /** The error's code in GraphQL. */
  readonly code?: string;
  /** The error's path in the GraphQL answer, such as `products.data.0.category`. */
  readonly path?: string;
}

/**
 * Receives every failure whose cause clients must not see: internal errors, and failures of the database.
 * Refusals by a service are no failures.
 */
export type FailureReport = (failure: unknown, answer: FailureAnswer) => void;

/** Where a door reports its errors. */
export interface ErrorReports {
  readonly report: FailureReport;
  readonly meter: Pick<Meter, "unavailable">;
}
