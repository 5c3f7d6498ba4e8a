/**
 * Masks e-mail addresses, tokens, lookups of orders, password hashes and passwords of connection strings, in a
 * line of JSON or in plain text. Masking twice changes nothing.
 *
 * Clients choose the text, so every function reads it once, from start to end: a regular expression that
 * backtracks could take seconds.
 */
export const masked = (text: string): string =>
  maskAddresses(maskHashes(maskLookups(maskTokens(maskConnections(text)))));

/** Masks the password in `postgres://user:password@host`: everything from the colon to the first `@`. */
function maskConnections(text: string): string {
  let result = "";
  let kept = 0;
  let at = text.indexOf(SCHEME);
  while (at >= 0) {
    let end = at + SCHEME.length;
    if (text.startsWith("ql", end)) end += 2;
    if (text.startsWith("://", end)) {
      const colon = skip(text, end + 3, isUser);
      end = colon;
      if (text[colon] === ":") {
        end = skip(text, colon + 1, isPassword);
        if (text[end] === "@" && end > colon + 1) {
          result += `${text.slice(kept, colon + 1)}***`;
          kept = end;
        }
      }
    }
    at = text.indexOf(SCHEME, end);
  }
  return result + text.slice(kept);
}

/** Masks signed tokens (RFC 7519). Their header is JSON, which always begins with `eyJ` in base64. */
function maskTokens(text: string): string {
  let result = "";
  let kept = 0;
  let at = text.indexOf(TOKEN);
  while (at >= 0) {
    const header = at + TOKEN.length;
    let end = skip(text, header, isBase64);
    if (isBoundary(text, at) && end > header && text[end] === ".") {
      const payload = end + 1;
      end = skip(text, payload, isBase64);
      if (end > payload && text[end] === ".") {
        end = skip(text, end + 1, isBase64);
        result += `${text.slice(kept, at)}[token]`;
        kept = end;
      }
    }
    at = text.indexOf(TOKEN, end);
  }
  return result + text.slice(kept);
}

/**
 * Masks the signature of lookups, which is 32 bytes in base64url: `7.kQ3…` becomes `7.[lookup]`. Text right behind
 * a signature may look like a part of it, so longer runs are masked as well.
 */
function maskLookups(text: string): string {
  let result = "";
  let kept = 0;
  let point = text.indexOf(".");
  let percent = text.indexOf("%");
  while (point >= 0 || percent >= 0) {
    const at = point < 0 || (percent >= 0 && percent < point) ? percent : point;
    const signed = signEnd(text, at, POINT);
    const end = signed > at ? skip(text, signed, isBase64) : at + 1;
    if (end - signed >= SIGNATURE_LENGTH && isDigit(text, at - 1)) {
      result += `${text.slice(kept, signed)}[lookup]`;
      kept = end;
    }
    if (at === point) point = text.indexOf(".", end);
    else percent = text.indexOf("%", end);
  }
  return result + text.slice(kept);
}

/** Masks bcrypt hashes. Their length is fixed, so the expression does not backtrack. */
const maskHashes = (text: string): string =>
  text.replace(/\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}/g, "[hash]");

/** Masks e-mail addresses, percent-encoded or not, except for the first character and the domain. */
function maskAddresses(text: string): string {
  if (!text.includes("@") && !text.includes("%")) return text;
  let result = "";
  let kept = 0;
  /** The start of the name, which is the part before the `@`, and the positions of the last two quotes. */
  let name = 0;
  let quote = -1;
  let quoteBefore = -1;
  for (let at = 0; at < text.length;) {
    let domain = signEnd(text, at, AT);
    if (domain === at) {
      if (text[at] === '"') [quoteBefore, quote] = [quote, at];
      at += 1;
      if (!isName(text, at - 1)) name = at;
      continue;
    }
    const quoted = quote === at - 1 ? openingQuote(text, quoteBefore, quote) : -1;
    let sign = at;
    at = skip(text, domain, isDomain);
    // If there are several separators, the last one counts, and everything before it is the name.
    while ((domain = signEnd(text, at, AT)) > at) {
      sign = at;
      at = skip(text, domain, isDomain);
    }
    if (quoted >= kept) {
      result += `${text.slice(kept, quoted)}***`;
      kept = sign;
    } else if (sign > name) {
      result += `${text.slice(kept, name + 1)}***`;
      kept = sign;
    }
    name = at;
  }
  return result + text.slice(kept);
}

const SCHEME = "postgres";
const TOKEN = "eyJ";
const SIGNATURE_LENGTH = 43;

/** Whether the character at a position is in the class; none is before the start or behind the end. */
type CharacterClass = (text: string, at: number) => boolean;

/** Skips the characters of a class from `from` on; returns the position after them. */
function skip(text: string, from: number, isIn: CharacterClass): number {
  let at = from;
  while (isIn(text, at)) at += 1;
  return at;
}

/** A character, and the hexadecimal digits that stand for it in percent-encoding. */
interface Sign {
  readonly character: string;
  readonly codes: readonly string[];
}
const AT: Sign = { character: "@", codes: ["40"] };
const POINT: Sign = { character: ".", codes: ["2E", "2e"] };

/** The end of the character at `at`, which may be percent-encoded several times; `at` if it is not there. */
function signEnd(text: string, at: number, { character, codes }: Sign): number {
  if (text[at] === character) return at + 1;
  if (text[at] !== "%") return at;
  let digits = at + 1;
  while (text.startsWith("25", digits)) digits += 2;
  return codes.some((code) => text.startsWith(code, digits)) ? digits + 2 : at;
}

/** The start of a quoted name, whose quotes are either both escaped, as in JSON, or both plain; -1 if none. */
function openingQuote(text: string, opening: number, closing: number): number {
  if (opening < 0) return -1;
  const escaped = text[closing - 1] === "\\";
  if (escaped !== (text[opening - 1] === "\\")) return -1;
  return escaped ? opening - 1 : opening;
}

const among =
  (characters: RegExp): CharacterClass =>
  (text, at) =>
    characters.test(text.charAt(at));

const isUser = among(/[^:@/\s"]/);
const isPassword = among(/[^@\s"]/);
const isBase64 = among(/[\w-]/);
const isDigit = among(/[0-9]/);
const isDomain = among(/[\w.-]/);
const isName = among(/[^\s"<>()=,;:@\\/*]/);
const isBoundary = (text: string, at: number): boolean => !/\w/.test(text.charAt(at - 1));
