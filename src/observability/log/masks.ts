/** An `@`, plain or percent-encoded, any number of times. */
const AT = "(?:@|%(?:25)*40)";

// Clients choose the text, so what a pattern looks ahead for is bounded, or begins only once in a run of characters.

const CONNECTION = /(postgres(?:ql)?:\/\/[^:@/\s"]{0,200}:)[^@\s"]{1,2000}(?=@)/g;
/** RFC 7519. The header is JSON, which always begins with `eyJ` in base64. */
const TOKEN = /\beyJ[\w-]{1,300}\.[\w-]{1,4000}\.[\w-]*/g;
/** A signature has 32 bytes in base64url, and may have other text right behind it. */
const LOOKUP = /([0-9](?:\.|%(?:25)*2[Ee]))[\w-]{43,}/g;
const HASH = /\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}/g;
/** The quoted name of an address, in JSON too; but not the end of one of JSON's texts and the begin of another. */
const QUOTED_NAME = new RegExp(String.raw`(\\?")(?![:,]")[^"\\]{1,254}\1(?=${AT})`, "g");
/** What may contain an address. No address goes on behind one of the other characters. */
const WORD = /[^\s"<>()=,;:\\/*]+/g;
/** The last sign counts: everything before it is the name. */
const NAME = new RegExp(`^(.).*(${AT})`, "su");

const HAS_AT = new RegExp(AT);

/**
 * Masks e-mail addresses but for the first character and the domain, tokens, lookups of orders, password hashes and
 * passwords of connection strings, in a line of JSON or in plain text. Masking twice changes nothing.
 */
export function masked(text: string): string {
  const result = text
    .replace(CONNECTION, "$1***")
    .replace(TOKEN, "[token]")
    .replace(LOOKUP, "$1[lookup]")
    .replace(HASH, "[hash]");
  if (!HAS_AT.test(result)) return result;
  return result.replace(QUOTED_NAME, "***").replace(WORD, (word) => word.replace(NAME, "$1***$2"));
}
