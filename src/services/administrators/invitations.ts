import { randomBytes } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { DataSettings } from "../../config/settings";
import { ConcurrentChange } from "../../database/statements/failures";
import { isOnlyOf } from "../../database/statements/has-address";
import { runSql, runWithin } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { currentWriteContext, setWriteContext } from "../../vocabulary/current-work";
import { conflict, invalidCredentials } from "../../vocabulary/errors";
import { normalAddress } from "../../vocabulary/text/email-address";
import { Signer } from "../secrets/signer";
import type { AcceptInvitationInput } from "./inputs";
import type { LoginAttempts } from "./login-attempts";
import type { Passwords } from "./passwords";
import type { LoginClient, Sessions } from "./sessions";
import type { TokenSubject } from "./tokens";

/** Hours for which an invitation can be accepted. */
const HOURS = 24;

/** Failures are counted under this name: a token that is unknown has no account. */
const ANY_INVITATION = "invitation";

/** What a token is stored as, under each secret: the present one comes first. */
const digestsOf = (token: string, data: DataSettings): Buffer[] =>
  new Signer("invitations", data).all(token).map((digest) => Buffer.from(digest, "base64url"));

/**
 * Invites an administrator, whose account is created if there is none, to choose a password. Returns the token, which is
 * good once. An earlier invitation ends.
 *
 * @throws DomainError CONFLICT if the account has a password, or is deactivated
 */
export async function invite(
  sequelize: Sequelize,
  data: DataSettings,
  email: string,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const [digest] = digestsOf(token, data);
  await inTransaction(sequelize, async (transaction) => {
    const run = <Row extends object>(statement: Sql) =>
      runWithin<Row>(sequelize, transaction, statement);
    const find = sql`SELECT id, is_active AND password_hash IS NULL AS "isInvitable" FROM admins
      WHERE ${isOnlyOf("admins", email)} FOR UPDATE`;
    const create = sql`INSERT INTO admins (email) VALUES (${normalAddress(email)})
      ON CONFLICT DO NOTHING RETURNING id, true AS "isInvitable"`;
    type Found = { readonly id: number; readonly isInvitable: boolean };
    const found = await run<Found>(find);
    const [invited] = found.length > 0 ? found : await run<Found>(create);
    if (!invited) throw new ConcurrentChange("Somebody else has created the account");
    if (!invited.isInvitable) {
      throw conflict(`Administrator ${email} has a password, or is deactivated`, {
        code: "INVALID",
        path: "email",
      });
    }
    await run(
      sql`INSERT INTO invitations (admin_id, digest, ends_at)
          VALUES (${invited.id}, ${digest}, now() + make_interval(hours => ${HOURS}))
          ON CONFLICT (admin_id) DO UPDATE SET digest = excluded.digest, ends_at = excluded.ends_at`,
    );
  });
  return token;
}

/** Invitations that are accepted. */
export class Invitations {
  constructor(
    private readonly sequelize: Sequelize,
    private readonly data: DataSettings,
    private readonly login: {
      readonly attempts: LoginAttempts;
      readonly passwords: Passwords;
      readonly sessions: Sessions;
    },
  ) {}

  /**
   * Sets the first password of an invited account, begins a session, and returns its token. A try counts as a login, and
   * takes as long as one.
   *
   * @throws DomainError INVALID_CREDENTIALS if the token is unknown, used or too old, or its account has a password or is
   *   deactivated by now; TOO_MANY_REQUESTS and UNAVAILABLE as for a login
   */
  accept({ token, password }: AcceptInvitationInput, from: LoginClient): Promise<string> {
    const { attempts, passwords, sessions } = this.login;
    return attempts.run({ email: ANY_INVITATION, address: from.address }, async () => {
      const digests = digestsOf(token, this.data);
      const isValid = sql`digest = ANY(${digests}::bytea[]) AND ends_at > now()`;
      const [account] = await runSql<TokenSubject>(
        this.sequelize,
        sql`SELECT id, email, role FROM invitations JOIN admins ON id = admin_id WHERE ${isValid}`,
      );
      if (!account) {
        await passwords.matches(password, undefined);
        throw invalidCredentials();
      }
      const passwordHash = await passwords.hash(password);
      const context = currentWriteContext();
      if (context) setWriteContext({ ...context, actor: account.email });
      const accessToken = await inTransaction(this.sequelize, async (transaction) => {
        // Two at once: the second waits for the first, and finds nothing to delete.
        const [taken] = await runWithin(
          this.sequelize,
          transaction,
          sql`WITH taken AS (DELETE FROM invitations WHERE ${isValid} RETURNING admin_id)
              UPDATE admins SET password_hash = ${passwordHash} FROM taken
              WHERE id = admin_id AND password_hash IS NULL AND is_active RETURNING id`,
        );
        return taken && sessions.start({ ...account, passwordHash }, from, transaction);
      });
      if (accessToken === undefined) throw invalidCredentials();
      return accessToken;
    });
  }
}
