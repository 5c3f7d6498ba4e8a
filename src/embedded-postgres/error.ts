/** What would help beside what a message says; how to bring it about is for the caller to say. */
export type Remedy = "other-folder" | "other-password" | "other-server";

/** Why PostgreSQL can't be started or used here; the message needs no stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";

  constructor(
    message: string,
    /** Any one of them would do. */
    readonly remedies: readonly Remedy[] = [],
  ) {
    super(message);
  }
}
