import type { Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { inTransaction } from "../../database/statements/transaction";
import {
  forbidden,
  invalidCredentials,
  unauthenticated,
  unavailable,
} from "../../vocabulary/errors";
import { isUuid } from "../../vocabulary/ids";
import { Admin } from "../../models";
import type { OperationTraits } from "../operations";
import type { ChangePasswordInput, LoginInput } from "./inputs";
import { findLoginAccount, type AccountKey } from "./login-account";
import type { LoginAttempts } from "./login-attempts";
import type { Passwords } from "./passwords";
import { FRESH_MINUTES, type CheckedSession, type LoginClient, type Sessions } from "./sessions";
import {
  accountIdOf,
  isOfPassword,
  type TokenAccount,
  type TokenClaims,
  type TokenSubject,
} from "./tokens";

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
  readonly account: TokenAccount;
  /** Undefined: it is of the release before. */
  readonly session: CheckedSession | undefined;
}

/** What an operation demands beside a role. */
export type Demands = Pick<OperationTraits, "changes" | "needs" | "isOfAccount" | "isExport">;

/** How many times a password is checked if its account keeps changing meanwhile. */
const MAX_CHECKS = 3;

/** Login, authorization by tokens, renewal of tokens, and changes of the holder's own password. */
export class Authentication {
  private readonly admins: Repository<Admin>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly passwords: Passwords,
    private readonly attempts: LoginAttempts,
    private readonly sessions: Sessions,
  ) {
    this.admins = sequelize.getRepository(Admin);
  }

  /**
   * Begins a session for the correct credentials of an active administrator, and returns its token. The letter case of
   * the e-mail is ignored.
   *
   * @throws DomainError INVALID_CREDENTIALS, the same for an unknown e-mail, an inactive account and
   *   a wrong password; TOO_MANY_REQUESTS after too many of these; UNAVAILABLE if too many logins are
   *   waiting or pending
   */
  login({ email, password }: LoginInput, from: LoginClient): Promise<string> {
    return this.attempts.run({ email, address: from.address }, () =>
      this.tokenFor({ email }, password, async (account) => {
        const passwordHash = await this.currentHash(account, password);
        if (passwordHash === undefined) return undefined;
        return this.sessions.start({ ...account, passwordHash }, from);
      }),
    );
  }

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
   * Changes the password of a token's holder, and returns a token of a new session. All others end, with the tokens of
   * programs, even if the new password is the old one, which is allowed, as on the command line. A try counts as a login
   * of the account, and takes a place in the queue of logins.
   *
   * @throws DomainError UNAUTHENTICATED if the token is not valid, or the account is deactivated meanwhile;
   *   INVALID_CREDENTIALS if the current password is wrong; TOO_MANY_REQUESTS and UNAVAILABLE as for a login
   */
  async changePassword(
    token: string | undefined,
    { currentPassword, newPassword }: ChangePasswordInput,
    from: LoginClient,
  ): Promise<string> {
    const { id, email } = (await this.check(token, [])).account;
    return this.attempts.run({ email, address: from.address }, () =>
      this.tokenFor({ id }, currentPassword, async (account) => {
        const passwordHash = await this.passwords.hash(newPassword);
        return inTransaction(this.sequelize, async (transaction) => {
          // A trigger ends the sessions.
          if (!(await this.replaceHash(account, passwordHash, transaction))) return undefined;
          return this.sessions.start({ ...account, passwordHash }, from, transaction);
        });
      }),
    );
  }

  /**
   * A token of a new session, for the right password of an active account. `start` begins it. It returns undefined if
   * the account was changed since it was read; then the password is checked again.
   *
   * @throws DomainError INVALID_CREDENTIALS; UNAUTHENTICATED if the key is an id without an active account;
   *   UNAVAILABLE if the account changes all the time
   */
  private async tokenFor(
    key: AccountKey,
    password: string,
    start: (account: TokenAccount) => Promise<string | undefined>,
  ): Promise<string> {
    for (let check = 1; check <= MAX_CHECKS; check += 1) {
      const { account, highestCost } = await findLoginAccount(this.sequelize, key);
      const matches = await this.passwords.matches(password, account?.passwordHash, highestCost);
      if (!account && "id" in key) throw unauthenticated("account not active");
      if (!account || !matches) throw invalidCredentials();
      const token = await start(account);
      if (token !== undefined) return token;
    }
    throw unavailable("logins");
  }

  /** The account's hash, renewed if its cost is not that of new hashes; undefined if it could not be renewed. */
  private async currentHash(account: TokenAccount, password: string): Promise<string | undefined> {
    if (this.passwords.isCurrent(account.passwordHash)) return account.passwordHash;
    const renewed = await this.passwords.hash(password);
    const isStored = await inTransaction(this.sequelize, (transaction) =>
      this.replaceHash(account, renewed, transaction),
    );
    return isStored ? renewed : undefined;
  }

  /** Stores another hash; false if the account's hash has changed or the account is no longer active. */
  private async replaceHash(
    { id, passwordHash }: TokenAccount,
    replacement: string,
    transaction: Transaction,
  ): Promise<boolean> {
    const where = { id, passwordHash, isActive: true };
    const values = { passwordHash: replacement };
    const [changed] = await this.admins.update(values, { where, transaction });
    return changed > 0;
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
   * nothing, one for reading changes nothing, and some operations need a fresh look.
   *
   * @throws DomainError FORBIDDEN
   */
  permit(
    { account: { id, email, role }, session, claims }: ValidToken,
    { changes, needs, isOfAccount, isExport }: Demands,
  ): Principal {
    if (claims.isProgram && (isOfAccount || isExport)) throw forbidden("token of a program");
    if (session?.readOnly && changes) throw forbidden("token for reading");
    if (needs === "freshLook" && !(session?.isFresh ?? isJustIssued(claims))) {
      throw forbidden("no fresh look", "CONFIRM_IDENTITY");
    }
    return claims.isProgram
      ? { id, email, role, session: undefined, program: { readOnly: session?.readOnly ?? true } }
      : { id, email, role, session, program: undefined };
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
