import type { Repository, Sequelize } from "sequelize-typescript";
import { rowsBy } from "../../database/model-table";
import { forbidden, invalidCredentials, unauthenticated, unavailable } from "../../errors";
import { Admin } from "../../models";
import type { LoginInput } from "./login-input";
import { findLoginAccount } from "./login-account";
import type { LoginAttempts } from "./login-attempts";
import type { Passwords } from "./passwords";
import {
  accountIdOf,
  isOfPassword,
  type TokenAccount,
  type Tokens,
  type TokenSubject,
} from "./tokens";

/** The authenticated caller of a protected operation. */
export type Principal = TokenSubject;

/** How many times a login is checked if its account keeps changing meanwhile. */
const MAX_LOGIN_CHECKS = 3;

/** Login and the authorization of tokens, for REST and GraphQL. */
export class Authentication {
  private readonly admins: Repository<Admin>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly passwords: Passwords,
    private readonly tokens: Tokens,
    private readonly attempts: LoginAttempts,
  ) {
    this.admins = sequelize.getRepository(Admin);
  }

  /**
   * Returns an access token for the correct credentials of an active administrator. The letter case of the
   * e-mail is ignored. `address` is the client's.
   *
   * @throws DomainError INVALID_CREDENTIALS, the same for an unknown e-mail, an inactive account and
   *   a wrong password; TOO_MANY_REQUESTS after too many of these; UNAVAILABLE if too many logins are
   *   waiting or pending
   */
  login({ email, password }: LoginInput, address: string): Promise<string> {
    return this.attempts.run({ email, address }, () => this.tokenFor(email, password));
  }

  private async tokenFor(email: string, password: string): Promise<string> {
    for (let check = 1; check <= MAX_LOGIN_CHECKS; check += 1) {
      const { account, highestCost } = await findLoginAccount(this.sequelize, email);
      const matches = await this.passwords.matches(password, account?.passwordHash, highestCost);
      if (!account || !matches) throw invalidCredentials();
      const passwordHash = await this.currentHash(account, password);
      if (passwordHash !== undefined) return this.tokens.issue({ ...account, passwordHash });
    }
    throw unavailable("logins");
  }

  /**
   * The account's password hash. If its cost is not the cost of new hashes, the hash is renewed and stored.
   * Undefined if the account has changed since it was read: the login must then be checked again.
   */
  private async currentHash(
    { id, passwordHash }: TokenAccount,
    password: string,
  ): Promise<string | undefined> {
    if (this.passwords.isCurrent(passwordHash)) return passwordHash;
    const renewed = await this.passwords.hash(password);
    const [changed] = await this.admins.update(
      { passwordHash: renewed },
      { where: { id, passwordHash, isActive: true } },
    );
    return changed > 0 ? renewed : undefined;
  }

  /**
   * The administrator that a token belongs to, if the account has one of `roles`. An empty list of roles
   * admits every valid token (contract 5.6). The checks run in this order: the signature and times, the
   * role in the token, whether the account is still active, and its current role.
   *
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN
   */
  async authorize(token: string | undefined, roles: readonly string[]): Promise<Principal> {
    if (token === undefined) throw unauthenticated(false);
    const claims = this.tokens.claims(token);
    assertRole(claims.role, roles);
    const id = accountIdOf(claims);
    if (id === undefined || typeof claims.role !== "string") throw unauthenticated(true);
    const [admin] = await rowsBy(this.sequelize, this.admins, "id", [id]);
    if (!admin?.isActive || !isOfPassword(claims, admin.passwordHash)) throw unauthenticated(true);
    assertRole(admin.role, roles);
    return { id: admin.id, email: admin.email, role: admin.role };
  }
}

function assertRole(role: unknown, allowed: readonly string[]): void {
  if (allowed.length > 0 && !allowed.some((each) => each === role)) throw forbidden();
}
