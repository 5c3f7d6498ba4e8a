import { isEmail } from "class-validator";
import { isStorable } from "./unicode";

/** Maximum length of an e-mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX_LENGTH = 254;

/** C0, DEL and C1. In quotes, `isEmail` takes some of them, and a terminal would obey them. */
const CONTROL = /\p{Cc}/u;

/** Whether the value is an e-mail address that can be stored. Never throws, whatever the value is. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= EMAIL_MAX_LENGTH &&
  !CONTROL.test(value) &&
  isStorable(value) && // before isEmail, which throws on a lone surrogate
  isEmail(value);

/** Lower-cases A-Z only, as PostgreSQL's `lower` does under the collation "C" in every database. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
