/** The message of anything that was thrown. */
export const messageOf = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);
