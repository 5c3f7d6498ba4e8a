import { readFileSync } from "node:fs";
import path from "node:path";
import { invalid, outOfRange, tooLong, type Issue } from "../reasons";
import { codePoints, isStorable } from "./unicode";

/** Minimum length of a new password, in characters (code points). */
export const PASSWORD_MIN_LENGTH = 12;

/** Maximum length of a password, in bytes; bcrypt ignores all bytes after these. */
export const PASSWORD_MAX_BYTES = 72;

/** Words of this shop, in the order in which they are taken out of a password that is judged. */
const SHOP_WORDS = ["administrator", "admin", "password", "shop", "tea"];

/** The 3,000 most frequent of at least 12 characters in SecLists' list of leaked passwords (MIT); read once. */
let common: ReadonlySet<string> | undefined;

/** The issue of a new password, whose message is the end of a sentence; undefined if there is none. */
export const passwordIssue = (password: string): Issue | undefined =>
  passwordFormIssue(password) ?? guessableIssue(password);

/** The issue of the length or the characters of a password, as of {@link passwordIssue}. */
export const passwordFormIssue = (password: string): Issue | undefined => {
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

/** What is tried first: frequent passwords, and words of the shop with nothing but digits and signs (ASVS 6.2.4, 6.2.11). */
function guessableIssue(password: string): Issue | undefined {
  const lower = password.toLowerCase();
  common ??= new Set(readFileSync(path.join(__dirname, "common-passwords.txt"), "utf8").split(" "));
  if (common.has(lower)) return invalid("must not be a common password");
  const rest = SHOP_WORDS.reduce((text, word) => text.replaceAll(word, ""), lower);
  const isOfShopWords = rest !== lower && !/\p{L}/u.test(rest);
  return isOfShopWords ? invalid("must have more than words of the shop") : undefined;
}
