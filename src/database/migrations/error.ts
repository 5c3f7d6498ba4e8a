import { OperatorError } from "../../vocabulary/errors";

/** The schema can't be migrated or does not match the files; the message has a line for each fault. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

/** The command that applies migrations, for messages. */
export const MIGRATE_UP = "node dist/cli/main.js migrate up";
