import type { Repository, Sequelize } from "sequelize-typescript";
import type { LoginSettings } from "../../config/settings";
import { isUnavailable } from "../../database/failures";
import { forbidden, invalidCredentials, unauthenticated, unavailable } from "../../errors";
import { Admin } from "../../models";
import { FairQueue } from "../limits/fair-queue";
import type { LoginInput } from "./login-input";
import { findLoginAccount } from "./login-account";
import type { LoginGuard } from "./login-guard";
import type { Passwords } from "./passwords";
import {
  accountIdOf,
  isOfPassword,
  type TokenAccount,
  type Tokens,
  type TokenSubject,
} from "./tokens";

/** Who calls a protected operation. */
export type Principal = TokenSubject;

/** How often a login is judged, where its account changes meanwhile. */
const MAX_JUDGEMENTS = 3;

/** Login, and who a token stands for, for both doors. */
export class Authentication {
  private readonly admins: Repository<Admin>;
  /** Refuses without a statement: counting a storm of logins would keep the pool from all others. */
  private readonly queue: FairQueue;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly passwords: Passwords,
    private readonly tokens: Tokens,
    private readonly guard: LoginGuard,
    { concurrency, queueLimit }: LoginSettings,
  ) {
    this.admins = sequelize.getRepository(Admin);
    this.queue = new FairQueue({ concurrency, waiting: queueLimit });
  }

  /**
   * An access token for the right credentials of an active administrator. E-mails ignore letter case.
   * `address` is the client's; logins wait for their turn by it alone, as a wait that depended on the
   * account would tell of it.
   *
   * @throws DomainError INVALID_CREDENTIALS, the same for an unknown e-mail, an inactive account and
   *   a wrong password; TOO_MANY_REQUESTS after too many of these; UNAVAILABLE where too many logins
   *   are waiting or pending
   */
  login({ email, password }: LoginInput, address: string): Promise<string> {
    const attempt = { email, address };
    return this.queue.run(
      address,
      () => this.guard.run(attempt, () => this.tokenFor(email, password)).catch(this.giveUp),
      () => this.guard.assertOpen(attempt),
    );
  }

  /** Refuses those who wait where the database does not serve: tried one by one, the last would be answered late. */
  private readonly giveUp = (error: unknown): never => {
    if (isUnavailable(error)) this.queue.refuseWaiting();
    throw error;
  };

  private async tokenFor(email: string, password: string): Promise<string> {
    for (let judgement = 1; judgement <= MAX_JUDGEMENTS; judgement += 1) {
      const { account, dearestCost } = await findLoginAccount(this.sequelize, email);
      const matches = await this.passwords.matches(password, account?.passwordHash, dearestCost);
      if (!account || !matches) throw invalidCredentials();
      const passwordHash = await this.currentHash(account, password);
      if (passwordHash !== undefined) return this.tokens.issue({ ...account, passwordHash });
    }
    throw unavailable();
  }

  /**
   * The account's hash, renewed where its cost is not that of new hashes. Undefined where the account
   * has changed since it was read: it has to be judged again.
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
   * The administrator behind a token, if any of `roles` is hers; no roles admit any valid token
   * (contract 5.6). Judged in this order: signature and times, the role claimed, whether the
   * account is still active, the role that it has now.
   *
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN
   */
  async authorize(token: string | undefined, roles: readonly string[]): Promise<Principal> {
    if (token === undefined) throw unauthenticated(false);
    const claims = this.tokens.claims(token);
    assertRole(claims.role, roles);
    const id = accountIdOf(claims);
    if (id === undefined || typeof claims.role !== "string") throw unauthenticated(true);
    const admin = await this.admins.findByPk(id);
    if (!admin?.isActive || !isOfPassword(claims, admin.passwordHash)) throw unauthenticated(true);
    assertRole(admin.role, roles);
    return { id: admin.id, email: admin.email, role: admin.role };
  }
}

function assertRole(role: unknown, allowed: readonly string[]): void {
  if (allowed.length > 0 && !allowed.some((each) => each === role)) throw forbidden();
}
