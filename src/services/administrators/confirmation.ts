import type { Sequelize } from "sequelize-typescript";
import { inTransaction } from "../../database/statements/transaction";
import { invalidCredentials, unauthenticated } from "../../vocabulary/errors";
import type { Principal } from "./authentication";
import type { Evidence, Identities } from "./identity";
import type { ConfirmIdentityInput } from "./inputs";
import type { LoginAttempts } from "./login-attempts";
import { confirmationBy } from "./second-factors/second-factors";
import type { Sessions } from "./sessions";

/** What gives a fresh look: a factor or, if the account has none, the password. */
const isEnough = ({
  isPasswordRight,
  hasFactor,
  isCodeRight,
  isPasskeyRight,
}: Evidence): boolean =>
  hasFactor ? isCodeRight === true || isPasskeyRight === true : isPasswordRight;

/** Gives sessions a fresh look: the holder shows again who they are, for operations that need it. */
export class Confirmation {
  constructor(
    private readonly sequelize: Sequelize,
    private readonly attempts: LoginAttempts,
    private readonly identities: Identities,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Gives the session of the caller a fresh look, for the right password or, if the account has a factor, a right code or
   * passkey. A try counts as a login of the account, and takes a place in the queue of logins. False without a try for a
   * token of the release before: it has no session.
   *
   * @throws DomainError INVALID_CREDENTIALS; UNAUTHENTICATED if the session has ended meanwhile; TOO_MANY_REQUESTS and
   *   UNAVAILABLE as for a login
   */
  async confirm(
    { id, email, session }: Principal,
    { password, code, passkey }: Omit<ConfirmIdentityInput, "crossIssues">,
    address: string,
  ): Promise<boolean> {
    if (!session) return false;
    const ceremony = confirmationBy({ id, email, session: session.id });
    return this.attempts.run({ email, address }, async () => {
      const evidence = await this.identities.judge(
        { id, email },
        { password, code, passkey, ceremony },
      );
      if (!evidence.account) throw unauthenticated("account not active");
      if (!isEnough(evidence)) throw code === undefined ? invalidCredentials() : evidence.refusal;
      await inTransaction(this.sequelize, async (transaction) => {
        const isThere = await this.sessions.confirm(session.id, transaction);
        if (!isThere) throw unauthenticated("session ended");
        if (!(await evidence.use(transaction))) throw evidence.refusal;
      });
      return true;
    });
  }
}
