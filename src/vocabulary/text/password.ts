import { invalid, outOfRange, tooLong, type Fault } from "../reasons";
import { codePoints, isStorable } from "./unicode";

/** Minimum length of a new password, in characters (code points). */
export const PASSWORD_MIN_LENGTH = 12;

/** Maximum length of a password, in bytes; bcrypt ignores all bytes after these. */
export const PASSWORD_MAX_BYTES = 72;

/** The fault of a new password, whose message is the end of a sentence; undefined if there is none. */
export const passwordFault = (password: string): Fault | undefined => {
  if (codePoints(password) < PASSWORD_MIN_LENGTH) {
    return outOfRange(`must have at least ${PASSWORD_MIN_LENGTH} characters`, {
      min: PASSWORD_MIN_LENGTH,
      max: PASSWORD_MAX_BYTES,
    });
  }
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    return tooLong(`must have at most ${PASSWORD_MAX_BYTES} bytes`, PASSWORD_MAX_BYTES);
  return isStorable(password) ? undefined : invalid("must be well-formed Unicode without NUL");
};
