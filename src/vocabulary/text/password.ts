import { codePoints, isStorable } from "./unicode";

/** Minimum length of a new password, in characters (code points). */
export const PASSWORD_MIN_LENGTH = 12;

/** Maximum length of a password, in bytes; bcrypt ignores all bytes after these. */
export const PASSWORD_MAX_BYTES = 72;

/** The rule that a new password breaks, as the end of a sentence; undefined if it breaks none. */
export const passwordFault = (password: string): string | undefined => {
  if (codePoints(password) < PASSWORD_MIN_LENGTH)
    return `must have at least ${PASSWORD_MIN_LENGTH} characters`;
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    return `must have at most ${PASSWORD_MAX_BYTES} bytes`;
  return isStorable(password) ? undefined : "must be well-formed Unicode without NUL";
};
