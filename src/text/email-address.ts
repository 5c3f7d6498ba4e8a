import { isEmail } from "class-validator";
import { isStorable } from "./unicode";

/** Most characters an e-mail address may have (RFC 5321 section 4.5.3.1.3, less the brackets). */
export const EMAIL_MAX_LENGTH = 254;

/** Whether the value is an e-mail address that can be stored. Total: never throws, whatever the value. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= EMAIL_MAX_LENGTH &&
  isStorable(value) && // before isEmail, which throws on a lone surrogate
  isEmail(value);

/** Folds letter case as PostgreSQL's `lower` does under the collation "C": a-z only, alike on every database. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
