import { all, Converted, Documented, rule } from "../../input/rules";

const KEY_MAX_LENGTH = 255;

/** The form of an idempotency key, in the words of messages and descriptions. */
export const KEY_FORM = `1 to ${KEY_MAX_LENGTH} visible ASCII characters`;

/** An idempotency key, either plain or quoted as in RFC 8941 section 3.3.3; both forms are the same key. */
export const IdempotencyKeyText = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? unquoted(value) : value)),
    rule("idempotencyKey", (value) =>
      typeof value === "string" && /^[!-~]+$/.test(value) && value.length <= KEY_MAX_LENGTH
        ? undefined
        : `must be ${KEY_FORM}`,
    ),
    Documented({ type: "string", pattern: "^[!-~]+$", minLength: 1, maxLength: KEY_MAX_LENGTH }),
  );

/** The content of a quoted string; other text as it is. A malformed quoted string gives an empty key. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const end = text.length - 1;
  let inner = "";
  for (let at = 1; at < end; at += 1) {
    if (text[at] === '"') return "";
    if (text[at] === "\\") {
      at += 1;
      if (at === end || !['"', "\\"].includes(text.charAt(at))) return "";
    }
    inner += text.charAt(at);
  }
  return text[end] === '"' ? inner : "";
}
