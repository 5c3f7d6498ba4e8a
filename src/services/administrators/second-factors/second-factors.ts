import type { InferAttributes, Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql, { raw } from "sql-template-tag";
import { violatedConstraint } from "../../../database/statements/failures";
import { runWithin } from "../../../database/statements/sql";
import { inTransaction } from "../../../database/statements/transaction";
import { Admin, OneTimeCodes, Passkey, RecoveryCode } from "../../../models";
import { conflict, invalidInput } from "../../../vocabulary/errors";
import { isUuid } from "../../../vocabulary/ids";
import { invalid } from "../../../vocabulary/reasons";
import type { SealedSecrets } from "../../secrets/sealed-secrets";
import { ONE_TIME_CODES } from "../../secrets/sealed-tables";
import {
  codeUri,
  newCodeSecret,
  newRecoveryCode,
  RECOVERY_CODES,
  recoveryDigest,
  stepOfCode,
} from "./codes";
import type { Ceremony, Challenge } from "./challenges";
import { attestationIn } from "./responses";
import type { NewKey, WebAuthn } from "./web-authn";

export type PasskeyRecord = InferAttributes<Passkey>;

/** The holder of a session. */
export interface Holder {
  readonly id: number;
  readonly email: string;
  /** Undefined for tokens of the release before. */
  readonly session: string | undefined;
}

const MOST_PASSKEYS = 20;

/** The second factors of administrators: what is set up, and how it is set up and ended. */
export class SecondFactors {
  private readonly codes: Repository<OneTimeCodes>;
  private readonly recoveryCodes: Repository<RecoveryCode>;
  private readonly passkeys: Repository<Passkey>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly secrets: SealedSecrets,
    private readonly webAuthn: WebAuthn,
  ) {
    this.codes = sequelize.getRepository(OneTimeCodes);
    this.recoveryCodes = sequelize.getRepository(RecoveryCode);
    this.passkeys = sequelize.getRepository(Passkey);
  }

  /** What an account has. Passkeys are sorted by age. */
  async of(adminId: number): Promise<{
    readonly oneTimeCodes: boolean;
    readonly recoveryCodesLeft: number;
    readonly passkeys: readonly PasskeyRecord[];
  }> {
    const codes = await this.codes.findByPk(adminId, { raw: true });
    const recoveryCodesLeft = await this.recoveryCodes.count({ where: { adminId } });
    const oneTimeCodes = typeof codes?.secret === "string";
    return { oneTimeCodes, recoveryCodesLeft, passkeys: await this.passkeysOf(adminId) };
  }

  /** Whether an account has any. */
  async has(adminId: number): Promise<boolean> {
    const { oneTimeCodes, passkeys } = await this.of(adminId);
    return oneTimeCodes || passkeys.length > 0;
  }

  /** A secret of new one-time codes, shown this once. Codes that are there stay, until one of these is confirmed. */
  async startOneTimeCodes({
    id,
    email,
  }: Holder): Promise<{ readonly secret: string; readonly uri: string }> {
    const secret = newCodeSecret();
    const sealed = this.secrets.seal(secret, ONE_TIME_CODES);
    await inTransaction(this.sequelize, (transaction) =>
      runWithin(
        this.sequelize,
        transaction,
        sql`INSERT INTO one_time_codes (admin_id, pending_secret) VALUES (${id}, ${sealed})
            ON CONFLICT (admin_id) DO UPDATE SET pending_secret = excluded.pending_secret`,
      ),
    );
    return { secret, uri: codeUri(secret, email) };
  }

  /**
   * Puts the new one-time codes in force, with recovery codes in place of any earlier ones. The code is used up.
   *
   * @throws DomainError INVALID_INPUT if the code is not one of now, or no codes are being set up
   */
  async confirmOneTimeCodes({ id: adminId }: Holder, code: string): Promise<string[]> {
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await inTransaction(this.sequelize, async (transaction) => {
      const codes = await this.codes.findByPk(adminId, { transaction, lock: true });
      const sealed = codes?.pendingSecret ?? undefined;
      const secret = sealed === undefined ? undefined : this.secrets.open(sealed, ONE_TIME_CODES);
      const lastStep = secret === undefined ? undefined : stepOfCode(secret, code);
      if (!codes || sealed === undefined || lastStep === undefined) {
        throw invalidInput([invalid("code must be a present one of the new codes", "code")]);
      }
      const confirmed = { secret: sealed, pendingSecret: null, lastStep, confirmedAt: new Date() };
      await codes.update(confirmed, { transaction });
      await this.recoveryCodes.destroy({ where: { adminId }, transaction });
      const rows = recoveryCodes.map((each) => ({ adminId, digest: recoveryDigest(each) }));
      await this.recoveryCodes.bulkCreate(rows, { transaction });
    });
    return recoveryCodes;
  }

  /** Ends the one-time codes and their recovery codes; returns whether there were any. */
  endOneTimeCodes({ id: adminId }: Holder): Promise<boolean> {
    return inTransaction(this.sequelize, async (transaction) => {
      const codes = await this.codes.findByPk(adminId, { transaction, lock: true });
      await codes?.destroy({ transaction });
      await this.recoveryCodes.destroy({ where: { adminId }, transaction });
      return typeof codes?.secret === "string";
    });
  }

  /** Options of WebAuthn for a new passkey. @throws DomainError INVALID_INPUT if `PUBLIC_ORIGIN` is not set */
  async startPasskey(holder: Holder): Promise<object> {
    const passkeys = await this.passkeysOf(holder.id);
    return this.webAuthn.creationOptions(holder, passkeys, setUpBy(holder));
  }

  /**
   * Stores the passkey that an authenticator has made with the options of {@link startPasskey}.
   *
   * @throws DomainError INVALID_INPUT if its answer is malformed, wrong, late or used, or there are 20 passkeys already;
   *   CONFLICT if it is stored already
   */
  async confirmPasskey(holder: Holder, name: string, response: unknown): Promise<PasskeyRecord> {
    const answer = attestationIn(response);
    const challenge = answer && this.webAuthn.challengeOf(answer, setUpBy(holder));
    const key = answer && challenge && (await this.webAuthn.made(answer));
    if (!key) throw notAccepted();
    try {
      return await inTransaction(this.sequelize, (transaction) =>
        this.store(transaction, { adminId: holder.id, name, key, challenge }),
      );
    } catch (error) {
      if (violatedConstraint(error) !== "passkeys_credential_id_key") throw error;
      throw conflict("The passkey is there already", { code: "INVALID", path: "response" });
    }
  }

  private async store(
    transaction: Transaction,
    {
      adminId,
      name,
      key,
      challenge,
    }: { adminId: number; name: string; key: NewKey; challenge: Challenge },
  ): Promise<PasskeyRecord> {
    // One after another, so that two at once don't exceed the limit.
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    await this.sequelize.getRepository(Admin).findByPk(adminId, { transaction, lock });
    if ((await this.passkeys.count({ where: { adminId }, transaction })) >= MOST_PASSKEYS) {
      const message = `there must be no more than ${MOST_PASSKEYS} passkeys`;
      const reason = { code: "OUT_OF_RANGE", min: 0, max: MOST_PASSKEYS } as const;
      throw invalidInput([{ message, reason }]);
    }
    if (!(await useChallenge(this.sequelize, transaction, challenge))) throw notAccepted();
    const values = { ...key, publicKey: Buffer.from(key.publicKey), adminId, name };
    const transports = [...key.transports];
    const passkey = await this.passkeys.create({ ...values, transports }, { transaction });
    return passkey.get({ plain: true });
  }

  /** Ends a passkey of the holder's; returns whether there was one. */
  async endPasskey({ id: adminId }: Holder, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    return inTransaction(
      this.sequelize,
      async (transaction) =>
        (await this.passkeys.destroy({ where: { id, adminId }, transaction })) > 0,
    );
  }

  /** Options of WebAuthn that anybody may ask for, to sign in. */
  startPasskeyLogin(): Promise<object> {
    return this.webAuthn.requestOptions({ purpose: "login" });
  }

  /** Options of WebAuthn for the holder, to give a fresh look. */
  async startPasskeyConfirmation(holder: Holder): Promise<object> {
    const passkeys = await this.passkeysOf(holder.id);
    return this.webAuthn.requestOptions(confirmationBy(holder), passkeys);
  }

  private passkeysOf(adminId: number): Promise<PasskeyRecord[]> {
    return this.passkeys.findAll({ where: { adminId }, order: ["createdAt", "id"], raw: true });
  }
}

const sessionOf = ({ id, session }: Holder): string => session ?? `of account ${id}`;
const setUpBy = (holder: Holder): Ceremony => ({ purpose: "set-up", session: sessionOf(holder) });
export const confirmationBy = (holder: Holder): Ceremony => ({
  purpose: "confirmation",
  session: sessionOf(holder),
});

const notAccepted = () =>
  invalidInput([
    invalid("response must be the unused answer to the options of startPasskey", "response"),
  ]);

/**
 * Uses a challenge up; false if somebody has. A few that expired an hour ago go with it: by then, the clocks of all
 * processes say that they have.
 */
export async function useChallenge(
  sequelize: Sequelize,
  transaction: Transaction,
  { nonce, endsAt }: Challenge,
): Promise<boolean> {
  const used = await runWithin(
    sequelize,
    transaction,
    sql`WITH expired AS (
          SELECT nonce FROM used_challenges WHERE ends_at < now() - interval '1 hour'
          ORDER BY ends_at LIMIT 10 FOR UPDATE SKIP LOCKED
        ), cleared AS (
          DELETE FROM used_challenges WHERE nonce IN (SELECT nonce FROM expired)
        )
        INSERT INTO used_challenges (nonce, ends_at) VALUES (${nonce}, ${endsAt})
        ON CONFLICT DO NOTHING RETURNING 1 AS used`,
  );
  return used.length > 0;
}

/** Takes all second factors from an account, and ends its sessions. */
export async function resetSecondFactors(
  sequelize: Sequelize,
  transaction: Transaction,
  adminId: number,
): Promise<void> {
  for (const table of ["one_time_codes", "recovery_codes", "passkeys", "sessions"]) {
    const deletion = sql`DELETE FROM ${raw(table)} WHERE admin_id = ${adminId}`;
    await runWithin(sequelize, transaction, deletion);
  }
}
