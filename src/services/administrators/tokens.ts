import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { sign, verify } from "jsonwebtoken";
import type { TokenSettings } from "../../config/settings";
import { unauthenticated } from "../../errors";
import { isStorableId } from "../input/ids";

const ALGORITHM = "HS256";

/** What a token says of its bearer. */
export interface TokenSubject {
  readonly id: number;
  readonly email: string;
  readonly role: string;
}

/** An account that a token is issued to. */
export interface TokenAccount extends TokenSubject {
  readonly passwordHash: string;
}

/** What a validly signed token claims; nothing but the signature and the times is judged yet. */
export interface TokenClaims {
  readonly id: unknown;
  readonly sub: unknown;
  readonly role: unknown;
  readonly credential: unknown;
}

/** Access tokens: JWTs signed with HS256 (contract 5.2). */
export class Tokens {
  private readonly key: KeyObject;
  private readonly verifyingKeys: readonly KeyObject[];
  private readonly ttl: number;

  constructor({ secret, previousSecrets, ttl }: TokenSettings) {
    this.key = signingKey(secret);
    this.verifyingKeys = [this.key, ...previousSecrets.map(signingKey)];
    this.ttl = ttl;
  }

  /** A token with `exp`, `iat`, `sub` (the id as a string), `id`, `email`, `role` and `credential`. */
  issue({ id, email, role, passwordHash }: TokenAccount): string {
    return sign({ id, email, role, credential: credentialOf(passwordHash) }, this.key, {
      algorithm: ALGORITHM,
      expiresIn: this.ttl,
      subject: String(id),
    });
  }

  /** @throws DomainError UNAUTHENTICATED where the signature or a time is not valid */
  claims(token: string): TokenClaims {
    for (const key of this.verifyingKeys) {
      const claims = verified(token, key);
      if (claims) return claims;
    }
    throw unauthenticated(true);
  }
}

const signingKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** Whatever is wrong with a token, its bearer learns nothing of it. */
function verified(token: string, key: KeyObject): TokenClaims | undefined {
  try {
    // Without the pin, any algorithm of the same key passes.
    const payload: unknown = verify(token, key, { algorithms: [ALGORITHM] });
    // A payload that is no JSON object passes verification as a string.
    if (typeof payload !== "object" || payload === null) return undefined;
    return {
      id: undefined,
      sub: undefined,
      role: undefined,
      credential: undefined,
      ...payload,
    };
  } catch {
    return undefined;
  }
}

/** Ties a token to a password without telling its hash: a changed password ends older tokens. */
const credentialOf = (passwordHash: string): string =>
  createHash("sha256").update(passwordHash).digest("base64url").slice(0, 22);

/** Whether the token was issued for this password; tokens that don't say belong to any. */
export const isOfPassword = ({ credential }: TokenClaims, passwordHash: string): boolean =>
  credential === undefined || credential === credentialOf(passwordHash);

/** The account that the claims name: `id`, or `sub` where there is none; undefined where it is not usable. */
export function accountIdOf({ id, sub }: TokenClaims): number | undefined {
  const fromSubject = typeof sub === "string" && /^[0-9]{1,10}$/.test(sub) ? Number(sub) : sub;
  const account = id ?? fromSubject;
  if (sub !== undefined && account !== fromSubject) return undefined;
  return typeof account === "number" && isStorableId(account) ? account : undefined;
}
