import { hkdfSync } from "node:crypto";
import type { DataSettings, LocalSettings, TokenSettings } from "./settings";

/**
 * The secrets for what is signed or encrypted for longer than a token lives. What is not set is derived from the
 * secrets of tokens; so a shop that sets a secret of its own still accepts what was signed before.
 */
export function dataSecrets(
  { secret, previousSecrets }: LocalSettings["data"],
  tokens: Pick<TokenSettings, "secret" | "previousSecrets">,
): DataSettings {
  const [present = "", ...former] = [tokens.secret, ...tokens.previousSecrets].map(derived);
  if (secret === undefined) return { secret: present, previousSecrets: previousSecrets ?? former };
  return { secret, previousSecrets: previousSecrets ?? [present, ...former] };
}

/** HKDF (RFC 5869), so that neither secret tells anything of the other purpose. */
const derived = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "", "tea-shop data", 32)).toString("base64url");
