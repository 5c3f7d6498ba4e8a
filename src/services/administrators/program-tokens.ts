import { randomUUID } from "node:crypto";
import { Op } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { inTransaction } from "../../database/statements/transaction";
import { Admin, Session } from "../../models";
import { invalidInput, unauthenticated } from "../../vocabulary/errors";
import { isUuid } from "../../vocabulary/ids";
import type { CreateProgramTokenInput } from "./inputs";
import type { Tokens } from "./tokens";

/** A token of an administrator for a program, such as the one that prints orders. */
export interface ProgramToken {
  readonly id: string;
  readonly name: string;
  /** Whether it may call only what changes nothing. */
  readonly readOnly: boolean;
  readonly createdAt: Date;
  /** Up to a minute old; null: never. */
  readonly lastUsedAt: Date | null;
  readonly endsAt: Date;
}

/** The most tokens of an account. */
const MOST = 100;

const areOfPrograms = { program: { [Op.ne]: null } };

/** Tokens for programs, so that none signs in with a person's password. They are checked as sessions are. */
export class ProgramTokens {
  private readonly sessions: Repository<Session>;
  private readonly admins: Repository<Admin>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly tokens: Tokens,
  ) {
    this.sessions = sequelize.getRepository(Session);
    this.admins = sequelize.getRepository(Admin);
  }

  /** The tokens of an account that have not ended, newest first. */
  async list(accountId: number): Promise<ProgramToken[]> {
    const where = { adminId: accountId, endsAt: { [Op.gt]: new Date() }, ...areOfPrograms };
    const order: [string, string][] = [
      ["startedAt", "DESC"],
      ["id", "DESC"],
    ];
    return (await this.sessions.findAll({ where, order })).map(tokenOf);
  }

  /**
   * Creates a token. This is the only time that it is shown itself, as `secret`.
   *
   * @throws DomainError INVALID_INPUT if the account has 100 already; UNAUTHENTICATED if it is not active
   */
  create(
    accountId: number,
    { name, endsAt, readOnly }: CreateProgramTokenInput,
  ): Promise<{ readonly token: ProgramToken; readonly secret: string }> {
    return inTransaction(this.sequelize, async (transaction) => {
      // Tokens of an account are created one after another, and not beside a change of its password.
      const where = { id: accountId, isActive: true };
      const account = await this.admins.findOne({ where, transaction, lock: true });
      if (!account) throw unauthenticated("account not active");
      const present = { adminId: accountId, endsAt: { [Op.gt]: new Date() }, ...areOfPrograms };
      if ((await this.sessions.count({ where: present, transaction })) >= MOST) {
        const message = `there must be no more than ${MOST} tokens`;
        throw invalidInput([{ message, reason: { code: "OUT_OF_RANGE", min: 0, max: MOST } }]);
      }
      const values = {
        id: randomUUID(),
        adminId: accountId,
        program: name,
        readOnly,
        idleUntil: endsAt,
        endsAt,
      };
      const session = await this.sessions.create(values, { transaction });
      const secret = this.tokens.issueForProgram(account, session.id, endsAt);
      return { token: tokenOf(session), secret };
    });
  }

  /** Ends a token of an account; returns whether it was active. */
  async end(accountId: number, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const where = { id, adminId: accountId, endsAt: { [Op.gt]: new Date() }, ...areOfPrograms };
    const ended = await inTransaction(this.sequelize, (transaction) =>
      this.sessions.destroy({ where, transaction }),
    );
    return ended > 0;
  }
}

const tokenOf = ({
  id,
  program,
  readOnly,
  startedAt,
  lastUsedAt,
  endsAt,
}: Session): ProgramToken => ({
  ...{ id, name: program ?? "", readOnly },
  ...{ createdAt: startedAt, lastUsedAt: lastUsedAt ?? null, endsAt },
});
