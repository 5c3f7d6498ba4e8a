import type { Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { inTransaction } from "../../database/statements/transaction";
import { Admin } from "../../models";
import {
  forbidden,
  invalidCredentials,
  unauthenticated,
  unavailable,
} from "../../vocabulary/errors";
import type { Authentication } from "./authentication";
import type { AccountKey, Evidence, Identities, Shown } from "./identity";
import type { ChangePasswordInput, FactorLoginInput } from "./inputs";
import type { LoginAttempts } from "./login-attempts";
import type { Passwords } from "./passwords";
import { assertionIn } from "./second-factors/responses";
import type { SecondFactors } from "./second-factors/second-factors";
import type { LoginClient, Sessions } from "./sessions";
import type { TokenAccount } from "./tokens";

const LOGIN = { purpose: "login" } as const;

/** How many times somebody is judged if the account keeps changing meanwhile. */
const MAX_CHECKS = 3;

/** What a login shows: a right password, and a factor if the account has one, but none if it has not. */
const isLogin = ({ isPasswordRight, hasFactor, isCodeRight, isPasskeyRight }: Evidence): boolean =>
  isPasswordRight &&
  (hasFactor
    ? isCodeRight === true || isPasskeyRight === true
    : isCodeRight === undefined && isPasskeyRight === undefined);

/** All that takes a password or a second factor: logins, changes of the own password, and fresh looks. */
export class Logins {
  private readonly admins: Repository<Admin>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly services: {
      readonly passwords: Passwords;
      readonly attempts: LoginAttempts;
      readonly authentication: Authentication;
      readonly sessions: Sessions;
      readonly identities: Identities;
      readonly secondFactors: SecondFactors;
    },
  ) {
    this.admins = sequelize.getRepository(Admin);
  }

  /**
   * Begins a session for the correct credentials of an active administrator, and returns its token. The letter case of
   * the e-mail is ignored. With `endsInCode`, the end of the password may be the code.
   *
   * @throws DomainError INVALID_CREDENTIALS, the same for an unknown e-mail, an inactive account, a wrong password, and a
   *   code or passkey that is wrong, missing, used or not set up; TOO_MANY_REQUESTS after too many of these; UNAVAILABLE
   *   if too many logins are waiting or pending
   */
  login(
    { email, password, code, passkey }: Omit<FactorLoginInput, "crossIssues">,
    from: LoginClient,
    { endsInCode = false } = {},
  ): Promise<string> {
    const shown = { password, code, endsInCode, passkey, ceremony: LOGIN };
    return this.services.attempts.run({ email, address: from.address }, () =>
      this.tokenFor({ email }, shown, isLogin, async (account, evidence) => {
        const passwordHash = await this.currentHash(account, evidence.password);
        if (passwordHash === undefined) return undefined;
        return this.start({ ...account, passwordHash }, evidence, from);
      }),
    );
  }

  /** Begins a session for a passkey alone. @throws DomainError as {@link login} */
  loginWithPasskey(passkey: unknown, from: LoginClient): Promise<string> {
    const attempt = {
      email: `passkey ${assertionIn(passkey)?.id ?? ""}`,
      address: from.address,
    };
    return this.services.attempts.run(attempt, () =>
      this.tokenFor(
        "passkey",
        { passkey, ceremony: LOGIN },
        ({ isPasskeyRight }) => isPasskeyRight === true,
        (account, evidence) => this.start(account, evidence, from),
      ),
    );
  }

  /**
   * Changes the password of a token's holder, and returns a token of a new session. All others end, with the tokens of
   * programs, even if the new password is the old one, which is allowed, as on the command line. A try counts as a login
   * of the account, and takes a place in the queue of logins.
   *
   * @throws DomainError UNAUTHENTICATED if the token is not valid, or the account is deactivated meanwhile; FORBIDDEN if
   *   the account has a second factor, and it was not given within ten minutes; INVALID_CREDENTIALS if the current
   *   password is wrong; TOO_MANY_REQUESTS and UNAVAILABLE as for a login
   */
  async changePassword(
    token: string | undefined,
    { currentPassword, newPassword }: ChangePasswordInput,
    from: LoginClient,
  ): Promise<string> {
    const { authentication, attempts, passwords, secondFactors, sessions } = this.services;
    const valid = await authentication.check(token, []);
    const { id, email } = valid.account;
    if (!authentication.isFresh(valid) && (await secondFactors.has(id))) {
      throw forbidden("no fresh look", "CONFIRM_IDENTITY");
    }
    const shown = { password: currentPassword, ceremony: LOGIN };
    return attempts.run({ email, address: from.address }, () =>
      this.tokenFor(
        { id, email },
        shown,
        ({ isPasswordRight }) => isPasswordRight,
        async (account) => {
          const passwordHash = await passwords.hash(newPassword);
          return inTransaction(this.sequelize, async (transaction) => {
            // A trigger ends the sessions.
            if (!(await this.replaceHash(account, passwordHash, transaction))) return undefined;
            return sessions.start({ ...account, passwordHash }, from, transaction);
          });
        },
      ),
    );
  }

  /**
   * A token of a new session, for what an active account accepts. `start` begins it. It returns undefined if the account
   * was changed since it was read; then it is judged again.
   *
   * @throws DomainError INVALID_CREDENTIALS; UNAUTHENTICATED if the key is an id without an active account;
   *   UNAVAILABLE if the account changes all the time
   */
  private async tokenFor(
    key: AccountKey,
    shown: Shown,
    accepts: (evidence: Evidence) => boolean,
    start: (account: TokenAccount, evidence: Evidence) => Promise<string | undefined>,
  ): Promise<string> {
    for (let check = 1; check <= MAX_CHECKS; check += 1) {
      const evidence = await this.services.identities.judge(key, shown);
      const { account, isPasswordRight, refusal } = evidence;
      if (!account && key !== "passkey" && "id" in key) throw unauthenticated("account not active");
      if (!account || !accepts(evidence)) throw isPasswordRight ? refusal : invalidCredentials();
      const token = await start(account, evidence);
      if (token !== undefined) return token;
    }
    throw unavailable("logins");
  }

  /** Begins a session, and uses up what it took. A code that two logins use at once is good for one. */
  private start(
    account: TokenAccount,
    evidence: Evidence,
    from: LoginClient,
  ): Promise<string | undefined> {
    const { sessions } = this.services;
    if (!evidence.hasFactor) return sessions.start(account, from);
    return inTransaction(this.sequelize, async (transaction) => {
      const token = await sessions.start(account, from, transaction);
      if (token !== undefined && !(await evidence.use(transaction))) throw evidence.refusal;
      return token;
    });
  }

  /** The account's hash, renewed if its cost is not that of new hashes; undefined if it could not be renewed. */
  private async currentHash(account: TokenAccount, password: string): Promise<string | undefined> {
    const { passwords } = this.services;
    if (passwords.isCurrent(account.passwordHash)) return account.passwordHash;
    const renewed = await passwords.hash(password);
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
}
