import type { Repository, Sequelize } from "sequelize-typescript";
import { equalIgnoringCase } from "../database/ignoring-case";
import { forbidden, invalidCredentials, unauthenticated } from "../errors";
import { Admin } from "../models";
import { BoundedQueue } from "./bounded-queue";
import type { LoginInput } from "./inputs/login-input";
import type { Passwords } from "./passwords";
import type { LoginGuard } from "./login-guard";
import { accountIdOf, isOfPassword, type Tokens, type TokenSubject } from "./tokens";

/** Who calls a protected operation. */
export type Principal = TokenSubject;

/** The only defined role (spec.md section 5.7). */
export const ADMIN = "ADMIN";

/** How many logins are let in. */
export interface LoginSettings {
  /** Password comparisons that run at one time, and logins that may wait for theirs. */
  readonly loginConcurrency: number;
  readonly loginQueueLimit: number;
}

/** Login, and the one rule of who may do what, for both doors. */
export class AuthenticationService {
  private readonly admins: Repository<Admin>;
  /** Refuses without a statement: counting a storm of logins would keep the pool from all others. */
  private readonly admission: BoundedQueue;

  constructor(
    sequelize: Sequelize,
    private readonly passwords: Passwords,
    private readonly tokens: Tokens,
    private readonly guard: LoginGuard,
    { loginConcurrency, loginQueueLimit }: LoginSettings,
  ) {
    this.admins = sequelize.getRepository(Admin);
    this.admission = new BoundedQueue({
      concurrency: loginConcurrency + loginQueueLimit,
      waiting: 0,
    });
  }

  /**
   * An access token for the right credentials of an active administrator. E-mails ignore letter case.
   * `address` is the client's IP address.
   *
   * @throws DomainError INVALID_CREDENTIALS, the same for an unknown e-mail, an inactive account and
   *   a wrong password; TOO_MANY_REQUESTS after too many of these; UNAVAILABLE where too many logins
   *   are waiting
   */
  login({ email, password }: LoginInput, address: string): Promise<string> {
    return this.admission.run(() =>
      this.guard.run({ email, address }, () => this.tokenFor(email, password)),
    );
  }

  private async tokenFor(email: string, password: string): Promise<string> {
    const admin = await this.admins.findOne({ where: equalIgnoringCase("email", email) });
    const known = admin?.isActive ? admin : undefined;
    const matches = await this.passwords.matches(password, known?.passwordHash);
    if (!known || !matches) throw invalidCredentials();
    return this.tokens.issue(known);
  }

  /**
   * The administrator behind a token, if any of `roles` is hers; no roles admit any valid token
   * (spec.md section 5.6). Judged in this order: signature and times, the role claimed, whether the
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
