import { all, Converted, rule } from "../../input/rules";

/** Most characters of an idempotency key. */
const KEY_MAX_LENGTH = 255;

/** What an idempotency key is, as messages and descriptions say it. */
export const KEY_FORM = `1 to ${KEY_MAX_LENGTH} visible ASCII characters`;

/**
 * An idempotency key, bare or as the quoted string of the IETF draft (RFC 8941 section 3.3.3); both forms
 * name the same key.
 */
export const IdempotencyKeyText = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? unquoted(value) : value)),
    rule("idempotencyKey", (value) =>
      typeof value === "string" && /^[!-~]+$/.test(value) && value.length <= KEY_MAX_LENGTH
        ? undefined
        : `must be ${KEY_FORM}`,
    ),
  );

/** What a quoted string stands for; an opening quote that nothing closes makes no key. */
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
