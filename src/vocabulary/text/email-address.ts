import { domainToASCII, domainToUnicode } from "node:url";
import { isEmail } from "class-validator";
import { isBlank, isStorable } from "./unicode";

/** Maximum length of an e-mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX_LENGTH = 254;

/** C0, DEL and C1. In quotes, `isEmail` takes some of them, and a terminal would obey them. */
const CONTROL = /\p{Cc}/u;

/** The domain of addresses that stand for erased customers. Nothing can be sent to `invalid` (RFC 2606). */
export const ERASED_DOMAIN = "erased.invalid";

/** Whether the value is an e-mail address that can be stored. Never throws, whatever the value is. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= EMAIL_MAX_LENGTH &&
  !CONTROL.test(value) &&
  isStorable(value) && // before isEmail, which throws on a lone surrogate
  isEmail(value);

/**
 * Whether the value is an address that somebody new may have: all of it is visible, except blanks in quotes, and it is
 * no erased customer's. Earlier releases have stored others.
 */
export const isNewEmailAddress = (value: unknown): value is string =>
  isEmailAddress(value) &&
  !/\p{Cf}/u.test(value) &&
  !Array.from(value).some((character) => character !== " " && isBlank(character)) &&
  asciiDomain(parted(value).domain) !== ERASED_DOMAIN;

/**
 * The address as new ones are stored, in NFC. A longer text stays as it is, because normalising takes quadratic time
 * and none of them is an address.
 */
export const normalAddress = (text: string): string =>
  text.length > EMAIL_MAX_LENGTH ? text : text.normalize("NFC");

/** Lower-cases A-Z only, as PostgreSQL's `lower` does under the collation "C" in every database. */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The spellings of one address, in lower case, the given one first: composed and decomposed (NFC, NFD), each with the
 * domain in Unicode and in ASCII (`xn--`). Most addresses have only one.
 */
export function spellingsOf(address: string): readonly string[] {
  const folded = foldCase(address);
  if (!hasSpellings(address)) return [folded];
  const { local, domain } = parted(address);
  const ascii = asciiDomain(domain);
  const domains = ascii === undefined ? [domain] : [domain, ascii, domainToUnicode(ascii)];
  // The letter case of a-z is ignored before they are composed with their marks, and after that.
  const spelled = [local, foldCase(local)].flatMap((each) => domains.map((other) => each + other));
  const all = ["NFC", "NFD"].flatMap((form) => spelled.map((each) => each.normalize(form)));
  return [...new Set([folded, ...all.map(foldCase)])];
}

/** A text that is the same for all {@link spellingsOf} an address. */
export function addressKey(address: string): string {
  if (!hasSpellings(address)) return foldCase(address);
  const { local, domain } = parted(address);
  return foldCase((local + (asciiDomain(domain) ?? domain)).normalize("NFD"));
}

/** Texts that are too long are stored nowhere, and normalising them takes quadratic time. */
const hasSpellings = (text: string): boolean =>
  text.length <= EMAIL_MAX_LENGTH && /[^\0-\x7f]|xn--/i.test(text);

/** The local part with its `@`, and the domain, which is empty if there is no `@`. */
function parted(address: string): { readonly local: string; readonly domain: string } {
  const end = address.lastIndexOf("@") + 1 || address.length;
  return { local: address.slice(0, end), domain: address.slice(end) };
}

/** The domain as DNS spells it, in lower case; undefined for what is no domain. */
const asciiDomain = (domain: string): string | undefined => domainToASCII(domain) || undefined;
