import { DatabaseError } from "pg";
import { BaseError } from "sequelize";

/**
 * The name of the constraint that a statement violated; undefined for any other error. The class of
 * Sequelize's error is ignored because it does not know the code that PostgreSQL 18 uses for RESTRICT.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof BaseError ? (error as { parent?: unknown }).parent : error;
  return cause instanceof DatabaseError ? cause.constraint : undefined;
}
