import { isUnavailable } from "../database/failures";
import { DomainError, unavailable } from "../errors";

/**
 * The refusal that the client gets for an error: a refusal stays as it is, and an unreachable or overloaded
 * database becomes UNAVAILABLE. Undefined for anything else, which is an error in the service.
 */
export function refusalOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return isUnavailable(error) ? unavailable() : undefined;
}
