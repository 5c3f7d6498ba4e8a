import { BaseError } from "sequelize";

/**
 * The name of the constraint that a statement violated; undefined for any other error. The class of the
 * error is ignored because Sequelize does not know the code that PostgreSQL 18 uses for RESTRICT.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { parent } = error as { parent?: { constraint?: string } };
  return error instanceof BaseError ? parent?.constraint : undefined;
}
