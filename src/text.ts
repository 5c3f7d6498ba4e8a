import { isEmail } from "class-validator";

/** Most characters an e-mail address may have (RFC 5321 section 4.5.3.1.3, less the brackets). */
const EMAIL_MAX_LENGTH = 254;

/** Fewest characters (code points) of a password that is set. */
export const PASSWORD_MIN_LENGTH = 12;

/** Most bytes of a password: bcrypt reads no further. */
export const PASSWORD_MAX_BYTES = 72;

/** Whether PostgreSQL stores the text unaltered: it has no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Length in code points, as PostgreSQL's `char_length` counts. */
export const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/**
 * A character that can be seen. Unicode's default-ignorable ones are the joiners, marks, selectors and
 * fillers that have no shape of their own; what is listed by code point has a shape that is blank.
 */
const VISIBLE =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u{16FE4}\u2800\uFFF9-\uFFFB\u{13441}\u{13442}\u{1D159}]/u;

/** Whether nothing of the text can be seen: it is empty, or all white space, control or blank characters. */
export const showsNothing = (text: string): boolean => !VISIBLE.test(text);

/** Whether the value is an e-mail address that can be stored. Total: never throws, whatever the value. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= EMAIL_MAX_LENGTH &&
  isStorable(value) && // before isEmail, which throws on a lone surrogate
  isEmail(value);

/** What is wrong with a password that someone wants to set, as the end of a sentence; undefined if nothing is. */
export const passwordFault = (password: string): string | undefined => {
  if (codePoints(password) < PASSWORD_MIN_LENGTH)
    return `must have at least ${PASSWORD_MIN_LENGTH} characters`;
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    return `must have at most ${PASSWORD_MAX_BYTES} bytes`;
  return isStorable(password) ? undefined : "must be well-formed Unicode without NUL";
};

/** Folds letter case as PostgreSQL's `lower` does under the collation "C": a-z only, alike on every database. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
