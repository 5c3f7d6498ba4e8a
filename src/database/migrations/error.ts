import { OperatorError } from "../../vocabulary/errors";

/** The schema can't be migrated or does not match the files; the message has a line for each fault. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

/** Migrations are pending, and nothing else is wrong: applying them helps. */
export class PendingMigrations extends MigrationError {}
