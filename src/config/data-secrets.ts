import { hkdfSync } from "node:crypto";
import type { DataSettings, LocalSettings, TokenSettings } from "./settings";

/**
 * The secrets for data that is signed or encrypted for longer than a token lives. Secrets that are not set are
 * derived from those of the tokens. So a shop that later sets a secret of its own still accepts older signatures.
 */
export function dataSecrets(
  { secret, previousSecrets }: LocalSettings["data"],
  tokens: Pick<TokenSettings, "secret" | "previousSecrets">,
): DataSettings {
  const [present = "", ...former] = [tokens.secret, ...tokens.previousSecrets].map(derived);
  if (secret === undefined) return { secret: present, previousSecrets: previousSecrets ?? former };
  return { secret, previousSecrets: previousSecrets ?? [present, ...former] };
}

/** Uses HKDF (RFC 5869), so that the two purposes do not share a secret. */
const derived = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "", "tea-shop data", 32)).toString("base64url");
