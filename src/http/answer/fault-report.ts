import type { Meter } from "../../vocabulary/meter";

/** What the client is told of a failure, instead of its cause. */
export interface FaultAnswer {
  readonly status: 500 | 503;
  /** GraphQL's code of the error. */
  readonly code?: string;
  /** Where in the answer of GraphQL the error is, such as `products.data.0.category`. */
  readonly path?: string;
}

/**
 * Receives every failure whose cause the client is not told: faults of the service, and failures of the
 * database. Refusals by a service are none.
 */
export type FaultReport = (failure: unknown, answer: FaultAnswer) => void;

/** Who is told of the errors of a door. */
export interface ErrorReports {
  readonly report: FaultReport;
  readonly meter: Pick<Meter, "unavailable">;
}
