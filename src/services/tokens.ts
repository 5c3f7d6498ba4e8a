import { sign, verify } from "jsonwebtoken";
import { unauthenticated } from "../errors";
import { isStorableId } from "./ids";

const ALGORITHM = "HS256";

/** How tokens are signed. */
export interface TokenSettings {
  readonly jwtSecret: string;
  /** Lifetime in seconds. */
  readonly jwtTtl: number;
}

/** What a token says of its bearer. */
export interface TokenSubject {
  readonly id: number;
  readonly email: string;
  readonly role: string;
}

/** What a validly signed token claims; nothing but the signature and the times is judged yet. */
export interface TokenClaims {
  readonly id: unknown;
  readonly sub: unknown;
  readonly role: unknown;
}

/** Access tokens: JWTs signed with HS256 (spec.md section 5). */
export class Tokens {
  constructor(private readonly settings: TokenSettings) {}

  /** A token with `exp`, `iat`, `sub` (the id as a string), `id`, `email` and `role`. */
  issue({ id, email, role }: TokenSubject): string {
    const { jwtSecret, jwtTtl } = this.settings;
    return sign({ id, email, role }, jwtSecret, {
      algorithm: ALGORITHM,
      expiresIn: jwtTtl,
      subject: String(id),
    });
  }

  /** @throws DomainError UNAUTHENTICATED where the signature or a time is not valid */
  claims(token: string): TokenClaims {
    try {
      // Without the pin, any algorithm of the same key passes.
      const payload: unknown = verify(token, this.settings.jwtSecret, { algorithms: [ALGORITHM] });
      // A payload that is no JSON object passes verification as a string.
      if (typeof payload === "object" && payload !== null) {
        return { id: undefined, sub: undefined, role: undefined, ...payload };
      }
    } catch {
      // Whatever is wrong with a token, its bearer learns nothing of it.
    }
    throw unauthenticated(true);
  }
}

/** The account that the claims name: `id`, or `sub` where there is none; undefined where it is not usable. */
export function accountIdOf({ id, sub }: TokenClaims): number | undefined {
  const fromSubject = typeof sub === "string" && /^[0-9]{1,10}$/.test(sub) ? Number(sub) : sub;
  const account = id ?? fromSubject;
  if (sub !== undefined && account !== fromSubject) return undefined;
  return typeof account === "number" && isStorableId(account) ? account : undefined;
}
