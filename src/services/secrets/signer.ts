import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { DataSettings } from "../../config/settings";

/**
 * Signs texts by HMAC-SHA256, under keys that are derived from `DATA_SECRET` for one purpose (HKDF, RFC 5869). The
 * signatures of previous secrets are accepted.
 */
export class Signer {
  private readonly key: Buffer;
  private readonly keys: readonly Buffer[];

  constructor(purpose: string, { secret, previousSecrets }: DataSettings) {
    const keyOf = (each: string): Buffer =>
      Buffer.from(hkdfSync("sha256", each, "", `tea-shop ${purpose}`, 32));
    this.key = keyOf(secret);
    this.keys = [this.key, ...previousSecrets.map(keyOf)];
  }

  /** 43 characters of base64url, under the present secret. */
  sign(text: string): string {
    return signature(text, this.key);
  }

  /** Whether a text is the signature of another one, under any of the secrets. */
  accepts(given: string, text: string): boolean {
    // Compared as text, because decoding ignores the unused bits of the last character.
    const bytes = Buffer.from(given);
    return this.all(text).some((each) => {
      const right = Buffer.from(each);
      return bytes.length === right.length && timingSafeEqual(bytes, right);
    });
  }

  /** The signatures of a text under each of the secrets, of which the present one comes first. */
  all(text: string): readonly string[] {
    return this.keys.map((key) => signature(text, key));
  }
}

const signature = (text: string, key: Buffer): string =>
  createHmac("sha256", key).update(text).digest("base64url");
