import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { sign, TokenExpiredError, verify } from "jsonwebtoken";
import type { TokenSettings } from "../../config/settings";
import { unauthenticated, type TokenFault } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";

const ALGORITHM = "HS256";

export interface TokenSubject {
  readonly id: number;
  readonly email: string;
  readonly role: string;
}

export interface TokenAccount extends TokenSubject {
  readonly passwordHash: string;
}

/** The claims of a token whose signature and times are valid. Nothing else has been checked yet. */
export interface TokenClaims {
  readonly id: unknown;
  readonly sub: unknown;
  readonly role: unknown;
  readonly credential: unknown;
  readonly auth_time: unknown;
}

/** Access tokens: JWTs signed with HS256 (contract 5.2). */
export class Tokens {
  private readonly key: KeyObject;
  private readonly verifyingKeys: readonly KeyObject[];
  private readonly ttl: number;
  private readonly loginTtl: number;

  constructor({ secret, previousSecrets, ttl, loginTtl }: TokenSettings) {
    this.key = signingKey(secret);
    this.verifyingKeys = [this.key, ...previousSecrets.map(signingKey)];
    this.ttl = ttl;
    this.loginTtl = loginTtl;
  }

  /** A token of a login that happens now. */
  issue(account: TokenAccount): string {
    const now = secondsNow();
    return this.signed(account, now, now);
  }

  /**
   * Another token of the login that these claims belong to.
   *
   * @throws DomainError UNAUTHENTICATED if the login is over, or if the claims do not say when it was
   */
  renew({ auth_time }: TokenClaims, account: TokenAccount): string {
    const now = secondsNow();
    if (!isPast(auth_time, now)) throw unauthenticated("token not valid");
    if (auth_time + this.loginTtl <= now) throw unauthenticated("login expired");
    return this.signed(account, now, auth_time);
  }

  /**
   * A token with `exp`, `iat`, `auth_time` (when its login was), `sub` (the id as a string), `id`, `email`,
   * `role` and `credential`. It expires no later than its login, even if it is the login's first token.
   */
  private signed(account: TokenAccount, iat: number, authTime: number): string {
    const { id, email, role, passwordHash } = account;
    const exp = Math.min(iat + this.ttl, authTime + this.loginTtl);
    const credential = credentialOf(passwordHash);
    const claims = { id, email, role, credential, auth_time: authTime, iat, exp };
    return sign(claims, this.key, { algorithm: ALGORITHM, subject: String(id) });
  }

  /** @throws DomainError UNAUTHENTICATED if the signature or a time is not valid */
  claims(token: string): TokenClaims {
    let fault: TokenFault = "token not valid";
    for (const key of this.verifyingKeys) {
      const found = verified(token, key);
      if (typeof found === "object") return found;
      if (found === "token expired") fault = found;
    }
    throw unauthenticated(fault);
  }
}

const secondsNow = (): number => Math.floor(Date.now() / 1000);

/** Whether a claim is a time in whole seconds that is not in the future. */
const isPast = (time: unknown, now: number): time is number =>
  Number.isSafeInteger(time) && (time as number) <= now;

const signingKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

const noClaims: TokenClaims = {
  id: undefined,
  sub: undefined,
  role: undefined,
  credential: undefined,
  auth_time: undefined,
};

/** The claims, or why the token is refused. */
function verified(token: string, key: KeyObject): TokenClaims | TokenFault {
  try {
    // Without this list, the library would accept every algorithm that the key fits.
    const payload: unknown = verify(token, key, { algorithms: [ALGORITHM] });
    // A payload can be any JSON; the library itself refuses null.
    if (typeof payload !== "object") return "token not valid";
    return { ...noClaims, ...payload };
  } catch (error) {
    // The library judges the signature before the times.
    return error instanceof TokenExpiredError ? "token expired" : "token not valid";
  }
}

/** Ties a token to a password without revealing the hash, so that a new password ends older tokens. */
const credentialOf = (passwordHash: string): string =>
  createHash("sha256").update(passwordHash).digest("base64url").slice(0, 22);

/** Whether the token was issued for this password; a token without the claim fits every password. */
export const isOfPassword = ({ credential }: TokenClaims, passwordHash: string): boolean =>
  credential === undefined || credential === credentialOf(passwordHash);

/** The account id from `id`, or else from `sub`; undefined if it is invalid or the two differ. */
export function accountIdOf({ id, sub }: TokenClaims): number | undefined {
  const fromSubject = typeof sub === "string" && /^[0-9]{1,10}$/.test(sub) ? Number(sub) : sub;
  const account = id ?? fromSubject;
  if (sub !== undefined && account !== fromSubject) return undefined;
  return typeof account === "number" && isStorableId(account) ? account : undefined;
}
