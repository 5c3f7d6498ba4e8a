import type { Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { isOnlyOf } from "../../database/statements/has-address";
import { runSql, runWithin } from "../../database/statements/sql";
import { invalidCredentials, type DomainError } from "../../vocabulary/errors";
import type { SealedSecrets } from "../secrets/sealed-secrets";
import { ONE_TIME_CODES } from "../secrets/sealed-tables";
import { WRONG_CODES, wrongCodesOf } from "./login-attempts";
import { codesKey } from "./login-throttle";
import { BCRYPT_HASH, type Passwords } from "./passwords";
import type { Ceremony } from "./second-factors/challenges";
import {
  isOneTimeCode,
  isRecoveryCode,
  newCodeSecret,
  recoveryDigest,
  splitPassword,
  stepOfCode,
} from "./second-factors/codes";
import { assertionIn } from "./second-factors/responses";
import { useChallenge } from "./second-factors/second-factors";
import { isHandleOf, type WebAuthn } from "./second-factors/web-authn";
import type { TokenAccount } from "./tokens";

/** Names an account: any spelling of its e-mail address, the id, or the passkey that somebody has shown. */
export type AccountKey =
  { readonly email: string } | { readonly id: number; readonly email: string } | "passkey";

/** What somebody shows of who they are, none of which is known to be right. */
export interface Shown {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  /** Whether the code may be the end of the password, as at REST, whose body has no field for it. */
  readonly endsInCode?: boolean;
  /** The answer of an authenticator. */
  readonly passkey?: unknown;
  /** What the answer is for. */
  readonly ceremony: Ceremony;
}

/** What was right of it. */
export interface Evidence {
  /** The active account of the key; undefined if there is none, and nothing is right. */
  readonly account: TokenAccount | undefined;
  readonly hasFactor: boolean;
  /** Without a code at its end. */
  readonly password: string;
  readonly isPasswordRight: boolean;
  /** Undefined: none was given. */
  readonly isCodeRight: boolean | undefined;
  readonly isPasskeyRight: boolean | undefined;
  /** The refusal of a right password with what the code is; only the log says why. */
  readonly refusal: DomainError;
  /** Uses up the code and the passkey's answer; false if somebody just has. */
  use(transaction: Transaction): Promise<boolean>;
}

interface Found {
  /** The highest bcrypt cost of all stored password hashes; null if there is none. */
  readonly cost: number | null;
  readonly id: number | null;
  readonly email: string;
  readonly role: string;
  readonly passwordHash: string;
  /** Sealed; null if there are no one-time codes. */
  readonly codeSecret: string | null;
  readonly lastStep: number | null;
  readonly hasPasskeys: boolean;
  readonly hasRecoveryCode: boolean;
  readonly passkeyId: string | null;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly isChallengeUsed: boolean;
  /** Wrong codes in this hour. */
  readonly wrongCodes: number;
}

/** Judges what somebody shows of who they are. */
export class Identities {
  /** Stands for a secret that is not there, so that a code takes the same work. */
  private readonly nobodys: string;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly passwords: Passwords,
    private readonly secrets: SealedSecrets,
    private readonly webAuthn: WebAuthn,
  ) {
    this.nobodys = secrets.seal(newCodeSecret(), ONE_TIME_CODES);
  }

  /**
   * Judges it by one statement and one comparison of a password, whatever is shown and whether anything is right: so the
   * time tells nothing (contract 5.3). Nothing is used up yet.
   */
  async judge(key: AccountKey, shown: Shown): Promise<Evidence> {
    const answer = assertionIn(shown.passkey);
    const challenge = answer && this.webAuthn.challengeOf(answer, shown.ceremony);
    const given = shown.password ?? "";
    const split = shown.endsInCode ? splitPassword(given) : undefined;
    const presented = split?.code ?? shown.code;
    const nonce = challenge?.nonce;
    const found = await this.find(key, { code: presented, credential: answer?.id, nonce });

    const hasCodes = found.codeSecret !== null;
    const isSplit = split !== undefined && hasCodes;
    const password = isSplit ? split.password : given;
    const code = isSplit ? split.code : shown.code;
    const hash = found.id === null ? undefined : found.passwordHash;
    const matches = await this.passwords.matches(password, hash, found.cost ?? undefined);
    const step = this.stepOf(found, code);
    const counter = answer && (await this.webAuthn.signed(answer, keyOf(found)));

    const isBlocked = found.wrongCodes >= WRONG_CODES.most;
    const isRecovery = isRecoveryCode(code ?? "") && hasCodes && found.hasRecoveryCode;
    const isCodeRight = !isBlocked && (step !== undefined || isRecovery);
    const isUnused = challenge !== undefined && !found.isChallengeUsed;
    const isOwn = key !== "passkey" || (answer && isHandleOf(found.id ?? 0, answer));
    const hasCode = code !== undefined;
    const logged = isBlocked ? "too many wrong codes" : "wrong code";
    return {
      account: accountOf(found),
      hasFactor: hasCodes || found.hasPasskeys,
      password,
      isPasswordRight: found.id !== null && matches,
      isCodeRight: hasCode ? isCodeRight : undefined,
      isPasskeyRight:
        shown.passkey === undefined
          ? undefined
          : counter !== undefined && isUnused && isOwn === true,
      refusal:
        hasCode && hasCodes && !isCodeRight
          ? invalidCredentials({ isWrongCode: true, logged })
          : invalidCredentials(),
      use: async (transaction) => {
        const { id: adminId, passkeyId } = found;
        const run = async (statement: ReturnType<typeof sql>): Promise<boolean> =>
          (await runWithin(this.sequelize, transaction, statement)).length > 0;
        if (hasCode) {
          const isUsed = await run(
            step === undefined
              ? sql`DELETE FROM recovery_codes
                    WHERE admin_id = ${adminId} AND digest = ${recoveryDigest(code)} RETURNING 1 AS used`
              : sql`UPDATE one_time_codes SET last_step = ${step}
                    WHERE admin_id = ${adminId} AND last_step < ${step} RETURNING 1 AS used`,
          );
          if (!isUsed) return false;
        }
        if (challenge === undefined) return true;
        if (!(await useChallenge(this.sequelize, transaction, challenge))) return false;
        return run(sql`UPDATE passkeys SET counter = ${counter}, last_used_at = now()
          WHERE id = ${passkeyId} AND (counter < ${counter} OR ${counter} = 0) RETURNING 1 AS used`);
      },
    };
  }

  /** The step of a code that is right and not used; undefined if there is none. It takes as long without a secret. */
  private stepOf({ codeSecret, lastStep }: Found, code = ""): number | undefined {
    const secret = this.secrets.open(codeSecret ?? this.nobodys, ONE_TIME_CODES);
    const isCode = isOneTimeCode(code);
    const step = secret === undefined ? undefined : stepOfCode(secret, isCode ? code : "000000");
    const isRight = codeSecret !== null && isCode && step !== undefined && step > (lastStep ?? 0);
    return isRight ? step : undefined;
  }

  /** Finds the account of a key. The statement is the same whether there is an account or not. */
  private async find(
    key: AccountKey,
    {
      code = "",
      credential = "",
      nonce = null,
    }: {
      code: string | undefined;
      credential: string | undefined;
      nonce: Buffer | null | undefined;
    },
  ): Promise<Found> {
    const credentialId = Buffer.from(credential, "base64url");
    const isOfKey =
      key === "passkey"
        ? sql`id = (SELECT admin_id FROM passkeys WHERE credential_id = ${credentialId})`
        : "id" in key
          ? sql`id = ${key.id}`
          : isOnlyOf("admins", key.email, MAY_LOG_IN);
    const [found] = await runSql<Found>(
      this.sequelize,
      sql`SELECT cost, account.id, email, role, password_hash AS "passwordHash",
            codes.secret AS "codeSecret", last_step::float8 AS "lastStep",
            EXISTS (SELECT FROM passkeys WHERE admin_id = account.id) AS "hasPasskeys",
            EXISTS (SELECT FROM recovery_codes
              WHERE admin_id = account.id AND digest = ${recoveryDigest(code)}) AS "hasRecoveryCode",
            passkey.id AS "passkeyId", public_key AS "publicKey", counter::float8 AS counter,
            EXISTS (SELECT FROM used_challenges WHERE nonce = ${nonce}) AS "isChallengeUsed",
            ${wrongCodesOf(key === "passkey" ? "" : codesKey(key.email))} AS "wrongCodes"
          FROM (
            SELECT max(substring(password_hash FROM ${BCRYPT_HASH}::text)::integer) AS cost FROM admins
          ) AS highest
          LEFT JOIN admins AS account ON ${isOfKey} AND ${MAY_LOG_IN}
          LEFT JOIN one_time_codes AS codes ON codes.admin_id = account.id AND secret IS NOT NULL
          LEFT JOIN passkeys AS passkey
            ON passkey.admin_id = account.id AND credential_id = ${credentialId}`,
    );
    if (!found) throw new Error("An outer join of one row has a row");
    return found;
  }
}

/** An account without a password counts as none. */
const MAY_LOG_IN = sql`is_active AND password_hash IS NOT NULL`;

const accountOf = ({ id, email, role, passwordHash }: Found): TokenAccount | undefined =>
  id === null ? undefined : { id, email, role, passwordHash };

const keyOf = ({ passkeyId, publicKey, counter }: Found) =>
  passkeyId === null ? undefined : { publicKey, counter };
