/** A reason for which the service can't start here; the message says what to do and needs no stack. */
export class StartFault extends Error {
  override readonly name = "StartFault";
}

/** The code of a system call's failure, such as `ENOENT`. */
export const errorCode = (error: unknown): string | undefined =>
  (error as { code?: string } | undefined)?.code;
