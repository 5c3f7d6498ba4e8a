import { codePoints, isStorable } from "./unicode";

/** Fewest characters (code points) of a password that is set. */
export const PASSWORD_MIN_LENGTH = 12;

/** Most bytes of a password: bcrypt reads no further. */
export const PASSWORD_MAX_BYTES = 72;

/** What is wrong with a password that someone wants to set, as the end of a sentence; undefined if nothing is. */
export const passwordFault = (password: string): string | undefined => {
  if (codePoints(password) < PASSWORD_MIN_LENGTH)
    return `must have at least ${PASSWORD_MIN_LENGTH} characters`;
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    return `must have at most ${PASSWORD_MAX_BYTES} bytes`;
  return isStorable(password) ? undefined : "must be well-formed Unicode without NUL";
};
