import { isUnavailable } from "../database/failures";
import { DomainError, unavailable } from "../errors";

/**
 * What a failure means to a caller: a refusal as it is, a database that is away or overloaded as
 * UNAVAILABLE. Undefined for anything else, which is a fault of ours.
 */
export function refusalOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return isUnavailable(error) ? unavailable() : undefined;
}
