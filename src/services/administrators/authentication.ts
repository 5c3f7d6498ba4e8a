import { forbidden, unauthenticated } from "../../vocabulary/errors";
import { isUuid } from "../../vocabulary/ids";
import type { OperationTraits } from "../operations";
import {
  FRESH_MINUTES,
  type CheckedSession,
  type LoginClient,
  type Sessions,
  type StoredAccount,
} from "./sessions";
import { accountIdOf, isOfPassword, type TokenClaims, type TokenSubject } from "./tokens";

/** The authenticated caller of a protected operation. */
export interface Principal extends TokenSubject {
  /** Undefined for a program's token, and for a token of the release before. */
  readonly session: CheckedSession | undefined;
  /** Undefined for a person's token. */
  readonly program: { readonly readOnly: boolean } | undefined;
}

/** What is known of a valid token: its claims, and what it belongs to. */
interface ValidToken {
  readonly claims: TokenClaims;
  readonly account: StoredAccount;
  /** Undefined: it is of the release before. */
  readonly session: CheckedSession | undefined;
}

/** What an operation demands beside a role. */
export type Demands = Pick<
  OperationTraits,
  "changes" | "needs" | "isOfAccount" | "isExport" | "setsUpFactor"
>;

/** Authorization by tokens, and their renewal. */
export class Authentication {
  constructor(private readonly sessions: Sessions) {}

  /**
   * A new token of the same session for the holder of a token. It expires no later than the login. The presented
   * token stays valid until its own expiry.
   *
   * @throws DomainError UNAUTHENTICATED if the token is not valid, if it does not say when its login was, or
   *   if that login is over
   */
  async renewToken(token: string | undefined, from: LoginClient): Promise<string> {
    const valid = await this.check(token, []);
    return this.sessions.renew(valid.claims, valid, from);
  }

  /**
   * The administrator that a token belongs to, if the account has one of `roles`, and the token meets the demands of an
   * operation. An empty list of roles admits every valid token (contract 5.6). The checks run in this order: the
   * signature and times, the role in the token, whether the account is still active and the session has not ended, the
   * account's current role, and what {@link permit} judges.
   *
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN
   */
  async authorize(
    token: string | undefined,
    roles: readonly string[],
    demands: Demands = {},
  ): Promise<Principal> {
    return this.permit(await this.check(token, roles), demands);
  }

  /**
   * The caller of an operation, if the token may call it: a program's token calls nothing of accounts and exports
   * nothing, one for reading changes nothing, some operations need a fresh look, and who must have a second factor and has
   * none can set one up alone.
   *
   * @throws DomainError FORBIDDEN
   */
  permit(
    valid: ValidToken,
    { changes, needs, isOfAccount, isExport, setsUpFactor }: Demands,
  ): Principal {
    const { account, session, claims } = valid;
    const { id, email, role } = account;
    if (claims.isProgram && (isOfAccount || isExport)) throw forbidden("token of a program");
    if (session?.readOnly && changes) throw forbidden("token for reading");
    if (account.lacksFactor && !setsUpFactor) throw forbidden("no second factor", "SECOND_FACTOR");
    if (needs === "freshLook" && !this.isFresh(valid)) {
      throw forbidden("no fresh look", "CONFIRM_IDENTITY");
    }
    return claims.isProgram
      ? { id, email, role, session: undefined, program: { readOnly: session?.readOnly ?? true } }
      : { id, email, role, session, program: undefined };
  }

  /** Whether a password or second factor was given within ten minutes. */
  isFresh({ session, claims }: Pick<ValidToken, "session" | "claims">): boolean {
    return session?.isFresh ?? isJustIssued(claims);
  }

  /**
   * What a token belongs to, by one statement.
   *
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN
   */
  async check(token: string | undefined, roles: readonly string[]): Promise<ValidToken> {
    if (token === undefined) throw unauthenticated("no token");
    const claims = this.sessions.claimsOf(token);
    assertRole(claims.role, roles);
    const id = accountIdOf(claims);
    const { sid, isProgram } = claims;
    // A person's token of the release before has no session.
    const isNamed = isUuid(sid) || (sid === undefined && !isProgram);
    if (id === undefined || typeof claims.role !== "string" || !isNamed) {
      throw unauthenticated("token not valid");
    }
    const { account, session } = await this.sessions.check(id, sid);
    if (!account?.isActive) throw unauthenticated("account not active");
    const isThere = session !== undefined && (session.program !== null) === isProgram;
    if (sid !== undefined && !isThere) throw unauthenticated("session ended");
    if (sid === undefined && !isOfPassword(claims, account.passwordHash)) {
      throw unauthenticated("password changed");
    }
    assertRole(account.role, roles);
    return { claims, account, session };
  }
}

/** Whether the login of a token without a session was just now. */
const isJustIssued = ({ auth_time }: TokenClaims): boolean =>
  typeof auth_time === "number" && auth_time > Date.now() / 1000 - FRESH_MINUTES * 60;

function assertRole(role: unknown, allowed: readonly string[]): void {
  if (allowed.length > 0 && !allowed.some((each) => each === role)) {
    throw forbidden("role not allowed");
  }
}
