import { OperatorError } from "../../errors";

/** Why the schema can't be migrated, or is not where the files say: a line for each fault. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

/** Migrations are pending and nothing else is wrong: applying them helps. */
export class PendingMigrations extends MigrationError {}
