/**
 * Why the schema, or what migrations set for the role, can't be brought or is not where the files say: the
 * message names them, a line each fault.
 */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MigrationError";
  }
}
