import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

/** What authenticator apps assume (RFC 6238), whatever a URI says. */
const PARAMETERS = { issuer: "Tea shop", algorithm: "SHA1", digits: 6, period: 30 };

/** Bytes of a secret: as many as SHA-1 has (RFC 4226 section 4). */
const SECRET_BYTES = 20;

/** A secret of one-time codes, in base32. */
export const newCodeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URI of a secret, which authenticator apps scan. */
export const codeUri = (secret: string, email: string): string =>
  new TOTP({ ...PARAMETERS, label: email, secret }).toString();

/**
 * The step of 30 s since 1970 that has this code: the present one, the one before or the one after (RFC 6238 section
 * 5.2). Undefined if none has.
 */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | undefined {
  const totp = new TOTP({ ...PARAMETERS, secret });
  const drift = totp.validate({ token: code, timestamp: now, window: 1 });
  return drift === null ? undefined : totp.counter({ timestamp: now }) + drift;
}

/** How many recovery codes there are at first. */
export const RECOVERY_CODES = 10;

/** 128 random bits as `r-` and 22 characters of base64url. */
export const newRecoveryCode = (): string => `r-${randomBytes(16).toString("base64url")}`;

/** A plain hash is enough for 128 random bits, and needs no key that could be lost. */
export const recoveryDigest = (code: string): Buffer =>
  createHash("sha256").update(`tea-shop recovery code ${code}`).digest();

export const isOneTimeCode = (text: string): boolean => /^[0-9]{6}$/.test(text);
export const isRecoveryCode = (text: string): boolean => /^r-[\w-]{22}$/.test(text);

/** The code at the end of a password, and what is before it. Undefined if it does not end like one. */
export function splitPassword(
  text: string,
): { readonly password: string; readonly code: string } | undefined {
  for (const [length, isCode] of [
    [24, isRecoveryCode],
    [6, isOneTimeCode],
  ] as const) {
    const code = text.slice(-length);
    if (isCode(code)) return { password: text.slice(0, -length), code };
  }
  return undefined;
}
