import { createHash, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { sign, TokenExpiredError, verify } from "jsonwebtoken";
import type { DataSettings, TokenSettings } from "../../config/settings";
import { unauthenticated, type TokenError } from "../../vocabulary/errors";
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
  readonly sid: unknown;
  readonly credential: unknown;
  readonly auth_time: unknown;
  /** Whether it was signed for a program. */
  readonly isProgram: boolean;
}

/** The times of a token and of its login, in seconds since 1970. */
export interface TokenTimes {
  /** When the login was. */
  readonly authTime: number;
  readonly iat: number;
  readonly exp: number;
  /** When the login ends at the latest. */
  readonly loginEnd: number;
}

interface VerifyingKey {
  readonly key: KeyObject;
  readonly isProgram: boolean;
}

const forPerson = (key: KeyObject): VerifyingKey => ({ key, isProgram: false });
const forProgram = (key: KeyObject): VerifyingKey => ({ key, isProgram: true });

/** Access tokens of people and of programs: JWTs signed with HS256 (contract 5.2). */
export class Tokens {
  private readonly key: KeyObject;
  private readonly programKey: KeyObject;
  private readonly verifyingKeys: readonly VerifyingKey[];
  private readonly ttl: number;
  private readonly loginTtl: number;

  constructor({ secret, previousSecrets, ttl, loginTtl }: TokenSettings, data: DataSettings) {
    this.key = signingKey(secret);
    this.programKey = keyOfPrograms(data.secret);
    this.verifyingKeys = [
      ...[this.key, ...previousSecrets.map(signingKey)].map(forPerson),
      ...[this.programKey, ...data.previousSecrets.map(keyOfPrograms)].map(forProgram),
    ];
    this.ttl = ttl;
    this.loginTtl = loginTtl;
  }

  /** The times of a login's first token. */
  firstTimes(): TokenTimes {
    const now = secondsNow();
    return this.times(now, now, now + this.loginTtl);
  }

  /**
   * The times of another token of the login that these claims belong to, which ends at `loginEnd` at the latest.
   *
   * @throws DomainError UNAUTHENTICATED if the login is over, or if the claims do not say when it was
   */
  nextTimes({ auth_time }: TokenClaims, loginEnd = Infinity): TokenTimes {
    const now = secondsNow();
    if (!isPast(auth_time, now)) throw unauthenticated("token not valid");
    const end = Math.min(auth_time + this.loginTtl, loginEnd);
    if (end <= now) throw unauthenticated("login expired");
    return this.times(now, auth_time, end);
  }

  private times(iat: number, authTime: number, loginEnd: number): TokenTimes {
    return { authTime, iat, exp: Math.min(iat + this.ttl, loginEnd), loginEnd };
  }

  /**
   * A token of a session, with `exp`, `iat`, `auth_time` (when its login was), `sub` (the id as a string), `id`,
   * `email`, `role` and `sid`. The release before knows no sessions, and looks at `credential`.
   */
  issue(account: TokenAccount, sid: string, { authTime, iat, exp }: TokenTimes): string {
    const { id, email, role, passwordHash } = account;
    const credential = credentialOf(passwordHash);
    const claims = { id, email, role, sid, credential, auth_time: authTime, iat, exp };
    return sign(claims, this.key, { algorithm: ALGORITHM, subject: String(id) });
  }

  /** A program's token, which has no login, and so is never renewed. */
  issueForProgram({ id, email, role }: TokenSubject, sid: string, endsAt: Date): string {
    const times = { iat: secondsNow(), exp: Math.floor(endsAt.getTime() / 1000) };
    const claims = { id, email, role, sid, ...times };
    return sign(claims, this.programKey, { algorithm: ALGORITHM, subject: String(id) });
  }

  /** @throws DomainError UNAUTHENTICATED if the signature or a time is not valid */
  claims(token: string): TokenClaims {
    let error: TokenError = "token not valid";
    for (const { key, isProgram } of this.verifyingKeys) {
      const found = verified(token, key);
      if (typeof found === "object") return { ...noClaims, ...found, isProgram };
      if (found === "token expired") error = found;
    }
    throw unauthenticated(error);
  }
}

const secondsNow = (): number => Math.floor(Date.now() / 1000);

/** Whether a claim is a time in whole seconds that is not in the future. */
const isPast = (time: unknown, now: number): time is number =>
  Number.isSafeInteger(time) && (time as number) <= now;

const signingKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** Of the secret for data, so that a rotation of `JWT_SECRET` ends no program's token. */
const keyOfPrograms = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "tea-shop program tokens", 32)));

const noClaims: Omit<TokenClaims, "isProgram"> = {
  id: undefined,
  sub: undefined,
  role: undefined,
  sid: undefined,
  credential: undefined,
  auth_time: undefined,
};

/** The claims, or why the token is refused. */
function verified(token: string, key: KeyObject): object | TokenError {
  try {
    // Without this list, the library would accept every algorithm that the key fits.
    const payload: unknown = verify(token, key, { algorithms: [ALGORITHM] });
    // A payload can be any JSON; the library itself refuses null.
    return typeof payload === "object" && payload !== null ? payload : "token not valid";
  } catch (error) {
    // The library judges the signature before the times.
    return error instanceof TokenExpiredError ? "token expired" : "token not valid";
  }
}

/** Ties a token to a password without revealing the hash. */
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
