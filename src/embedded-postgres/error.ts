/** A remedy beside those that the message names; the caller knows how to put it into words. */
export type Remedy = "other-folder" | "other-password" | "other-server";

/** PostgreSQL can't be started or used here; the message explains it without a stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";

  constructor(
    message: string,
    /** Each of them alone would help. */
    readonly remedies: readonly Remedy[] = [],
  ) {
    super(message);
  }
}
