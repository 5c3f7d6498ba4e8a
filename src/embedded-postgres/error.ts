/** A remedy that the message does not name, because only the caller can put it into words. */
export type Remedy = "other-folder" | "other-password" | "other-server";

/** PostgreSQL can't be started or used here. The message says why, so nobody needs the stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";

  constructor(
    message: string,
    /** Each remedy alone would help. */
    readonly remedies: readonly Remedy[] = [],
  ) {
    super(message);
  }
}
