import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { rowsById } from "../../database/statements/rows-by-id";
import { inTransaction } from "../../database/statements/transaction";
import { Batcher } from "../../reads/batcher";
import {
  forbidden,
  invalidCredentials,
  unauthenticated,
  unavailable,
} from "../../vocabulary/errors";
import { Admin } from "../../models";
import type { ChangePasswordInput, LoginInput } from "./inputs";
import type { LoginAttempts } from "./login-attempts";
import { type Passwords, BCRYPT_HASH } from "./passwords";
import {
  accountIdOf,
  isOfPassword,
  type TokenAccount,
  type TokenClaims,
  type Tokens,
  type TokenSubject,
} from "./tokens";
import { isOnlyOf } from "../../database/statements/has-address";
import { runSql } from "../../database/statements/sql";

/** The authenticated caller of a protected operation. */
type Principal = TokenSubject;

/** What is known of a valid token: its claims, and the account that it belongs to. */
interface ValidToken {
  readonly claims: TokenClaims;
  readonly account: TokenAccount;
}

interface StoredAccount extends TokenAccount {
  readonly isActive: boolean;
}

/** How many times a password is checked if its account keeps changing meanwhile. */
const MAX_CHECKS = 3;

/** Login, authorization by tokens, renewal of tokens, and changes of the holder's own password. */
export class Authentication {
  private readonly admins: Repository<Admin>;
  /** Accounts by id. Requests that wait at the same time share a statement, which is issued after all of them. */
  private readonly accounts: Batcher<number, ReadonlyMap<number, StoredAccount>>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly passwords: Passwords,
    private readonly tokens: Tokens,
    private readonly attempts: LoginAttempts,
  ) {
    this.admins = sequelize.getRepository(Admin);
    this.accounts = new Batcher(async (ids) => {
      const accounts = await rowsById(sequelize, this.admins, [...ids]);
      return new Map(accounts.map((account) => [account.id, account]));
    });
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
    return this.attempts.run({ email, address }, () =>
      this.tokenFor({ email }, password, (account) => this.currentHash(account, password)),
    );
  }

  /**
   * A new token of the same login for the holder of a token. It expires no later than the login. The presented
   * token stays valid until its own expiry.
   *
   * @throws DomainError UNAUTHENTICATED if the token is not valid, if it does not say when its login was, or
   *   if that login is over
   */
  async renewToken(token: string | undefined): Promise<string> {
    const { claims, account } = await this.validated(token, []);
    return this.tokens.renew(claims, account);
  }

  /**
   * Changes the password of a token's holder and returns a token of a new login. All other tokens of the
   * account end, even if the new password is the old one, which is allowed, as on the command line. A try
   * counts as a login of the account from `address`, and takes a place in the queue of logins.
   *
   * @throws DomainError UNAUTHENTICATED if the token is not valid, or the account is deactivated meanwhile;
   *   INVALID_CREDENTIALS if the current password is wrong; TOO_MANY_REQUESTS and UNAVAILABLE as for a login
   */
  async changePassword(
    token: string | undefined,
    { currentPassword, newPassword }: ChangePasswordInput,
    address: string,
  ): Promise<string> {
    const { id, email } = (await this.validated(token, [])).account;
    return this.attempts.run({ email, address }, () =>
      this.tokenFor({ id }, currentPassword, async (account) =>
        this.replaceHash(account, await this.passwords.hash(newPassword)),
      ),
    );
  }

  /**
   * A token of a new login, for the right password of an active account. `hashFor` returns the account's hash from
   * now on. It returns undefined if the account was changed since it was read; then the password is checked again.
   *
   * @throws DomainError INVALID_CREDENTIALS; UNAUTHENTICATED if the key is an id without an active account;
   *   UNAVAILABLE if the account changes all the time
   */
  private async tokenFor(
    key: AccountKey,
    password: string,
    hashFor: (account: TokenAccount) => Promise<string | undefined>,
  ): Promise<string> {
    for (let check = 1; check <= MAX_CHECKS; check += 1) {
      const { account, highestCost } = await findLoginAccount(this.sequelize, key);
      const matches = await this.passwords.matches(password, account?.passwordHash, highestCost);
      if (!account && "id" in key) throw unauthenticated("account not active");
      if (!account || !matches) throw invalidCredentials();
      const passwordHash = await hashFor(account);
      if (passwordHash !== undefined) return this.tokens.issue({ ...account, passwordHash });
    }
    throw unavailable("logins");
  }

  /** The account's hash, renewed if its cost is not that of new hashes; undefined if it could not be renewed. */
  private async currentHash(account: TokenAccount, password: string): Promise<string | undefined> {
    if (this.passwords.isCurrent(account.passwordHash)) return account.passwordHash;
    return this.replaceHash(account, await this.passwords.hash(password));
  }

  /** Stores another hash; undefined if the account's hash has changed or the account is no longer active. */
  private async replaceHash(
    { id, passwordHash }: TokenAccount,
    replacement: string,
  ): Promise<string | undefined> {
    const where = { id, passwordHash, isActive: true };
    const [changed] = await inTransaction(this.sequelize, (transaction) =>
      this.admins.update({ passwordHash: replacement }, { where, transaction }),
    );
    return changed > 0 ? replacement : undefined;
  }

  /**
   * The administrator that a token belongs to, if the account has one of `roles`. An empty list of roles
   * admits every valid token (contract 5.6). The checks run in this order: the signature and times, the
   * role in the token, whether the account is still active, and its current role.
   *
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN
   */
  async authorize(token: string | undefined, roles: readonly string[]): Promise<Principal> {
    const { id, email, role } = (await this.validated(token, roles)).account;
    return { id, email, role };
  }

  private async validated(
    token: string | undefined,
    roles: readonly string[],
  ): Promise<ValidToken> {
    if (token === undefined) throw unauthenticated("no token");
    const claims = this.tokens.claims(token);
    assertRole(claims.role, roles);
    const id = accountIdOf(claims);
    if (id === undefined || typeof claims.role !== "string") {
      throw unauthenticated("token not valid");
    }
    const admin = (await this.accounts.run(id)).get(id);
    if (!admin?.isActive) throw unauthenticated("account not active");
    if (!isOfPassword(claims, admin.passwordHash)) throw unauthenticated("password changed");
    assertRole(admin.role, roles);
    return { claims, account: admin };
  }
}

function assertRole(role: unknown, allowed: readonly string[]): void {
  if (allowed.length > 0 && !allowed.some((each) => each === role)) {
    throw forbidden("role not allowed");
  }
}

/** Names an account: any spelling of its e-mail address, or the id. */
type AccountKey = { readonly email: string } | { readonly id: number };

/** The stored data that a password is checked against. */
interface LoginAccount {
  /** The active account of the key; undefined if there is none. */
  readonly account: TokenAccount | undefined;
  /** The highest bcrypt cost of all stored password hashes; undefined if there is none. */
  readonly highestCost: number | undefined;
}

/** If there is no such account, all columns except the cost are null. */
type Row = { readonly cost: number | null } & (TokenAccount | { readonly id: null });

/** Finds the account of a key. The statement is the same whether there is an account or not. */
async function findLoginAccount(sequelize: Sequelize, key: AccountKey): Promise<LoginAccount> {
  const isOfKey = "id" in key ? sql`id = ${key.id}` : isOnlyOf("admins", key.email, sql`is_active`);
  const [row] = (await runSql(
    sequelize,
    sql`SELECT highest.cost, id, email, role, password_hash AS "passwordHash"
        FROM (
          SELECT max(substring(password_hash FROM ${BCRYPT_HASH}::text)::integer) AS cost FROM admins
        ) AS highest
        LEFT JOIN admins ON ${isOfKey} AND is_active`,
  )) as [Row];
  const account = row.id !== null ? row : undefined;
  return { account, highestCost: row.cost ?? undefined };
}
