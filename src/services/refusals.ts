import { hasWaitedTooLong, isUnavailable } from "../database/statements/failures";
import { DomainError, unavailable } from "../vocabulary/errors";
import type { Meter } from "../vocabulary/meter";

/**
 * The refusal that the client gets for an error: a refusal stays as it is, and an unreachable or overloaded
 * database becomes UNAVAILABLE. Undefined for anything else, which is an error in the service.
 */
export function refusalOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (!isUnavailable(error)) return undefined;
  return unavailable(hasWaitedTooLong(error) ? "connections" : "database");
}

/** Counts a refusal with the code UNAVAILABLE, by its reason. */
export function countUnavailable(
  { details }: DomainError,
  meter: Pick<Meter, "unavailable">,
): void {
  if (details.reason !== undefined) meter.unavailable(details.reason);
}
