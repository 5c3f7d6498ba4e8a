import { OperatorError } from "../../vocabulary/errors";

/** The schema can't be migrated or does not match the files; the message has a line for each fault. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

/** The only fault is that migrations are pending, so applying them helps. */
export class PendingMigrations extends MigrationError {}
