import { BaseError } from "sequelize";

/**
 * The name of the constraint that the database refused a statement for. Told by name alone, as
 * PostgreSQL 18 gives the refusals of RESTRICT a code that Sequelize does not know yet.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { parent } = error as { parent?: { constraint?: string } };
  return error instanceof BaseError ? parent?.constraint : undefined;
}
