import { createHash, createHmac, generateKeyPairSync, sign as signWith } from "node:crypto";

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token of any header and any payload, as objects or as JSON text, with an HMAC of any secret. */
export function signed(
  payload: unknown,
  secret: string | Buffer,
  header: unknown = { alg: "HS256", typ: "JWT" },
  hash = "sha256",
): string {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
}

/** A token of any header and payload with this signature. */
export const assembled = (header: unknown, payload: unknown, signature: string): string =>
  `${encoded(header)}.${encoded(payload)}.${signature}`;

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");

/** Headers that name a key of the forger's own. */
export const forgersKey = rsa.publicKey.export({ format: "jwk" });

/** A token that is properly signed with an asymmetric key of the forger's. */
export function signedByForger(
  payload: object,
  alg: "RS256" | "PS256" | "ES256" | "EdDSA",
  header: object = {},
): string {
  const fullHeader = { alg, typ: "JWT", ...header };
  const text = Buffer.from(`${encoded(fullHeader)}.${encoded(payload)}`);
  const signature = {
    RS256: () => signWith("sha256", text, rsa.privateKey),
    PS256: () => signWith("sha256", text, { key: rsa.privateKey, padding: 6, saltLength: 32 }),
    ES256: () => signWith("sha256", text, { key: ec.privateKey, dsaEncoding: "ieee-p1363" }),
    EdDSA: () => signWith(null, text, ed.privateKey),
  }[alg]();
  return assembled(fullHeader, payload, signature.toString("base64url"));
}

/** The claim that ties a token to a password (src/services/tokens.ts). */
export const credentialOf = (passwordHash: string): string =>
  createHash("sha256").update(passwordHash).digest("base64url").slice(0, 22);
