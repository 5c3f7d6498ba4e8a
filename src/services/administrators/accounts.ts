import { Op, type FindOptions, type InferAttributes } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { Credentials } from "../../config/settings";
import { violatedConstraint } from "../../database/statements/failures";
import { isAddress } from "../../database/statements/has-address";
import { runWithin } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { conflict, invalidInput, notFound } from "../../vocabulary/errors";
import { invalid } from "../../vocabulary/reasons";
import { Admin } from "../../models";
import {
  foldCase,
  isEmailAddress,
  isNewEmailAddress,
  normalAddress,
} from "../../vocabulary/text/email-address";
import { passwordIssue, passwordFormIssue } from "../../vocabulary/text/password";
import { Issues } from "../input/rules";
import type { Passwords } from "./passwords";
import { resetSecondFactors } from "./second-factors/second-factors";

export type AccountRecord = Omit<InferAttributes<Admin>, "passwordHash">;

const EMAIL_KEY = "admins_email_key";

/** The advisory lock that keeps replicas from creating several first administrators at the same time. */
const FIRST_ADMIN_LOCK = 7_238_001;

/** Administrators' accounts, for the command line and the start of the service; no API exposes them. */
export class Accounts {
  private readonly admins: Repository<Admin>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly passwords: Passwords,
  ) {
    this.admins = sequelize.getRepository(Admin);
  }

  /** All accounts, sorted by e-mail address. */
  async list(): Promise<AccountRecord[]> {
    const admins = await this.admins.findAll({ order: ["email"] });
    return admins.map(recordOf);
  }

  /** Whether these credentials are valid: the account is active, and the password is right. */
  async accept({ email, password }: Credentials): Promise<boolean> {
    const admin = await this.find(email, { where: { isActive: true } });
    return admin !== undefined && this.passwords.matches(password, admin.passwordHash ?? undefined);
  }

  /** @throws DomainError INVALID_INPUT for a bad e-mail or password, CONFLICT if the e-mail is taken */
  async create({ email, password }: Credentials): Promise<AccountRecord> {
    const account = await this.newAccount({ email, password });
    try {
      return await inTransaction(this.sequelize, async (transaction) =>
        recordOf(await this.admins.create(account, { transaction })),
      );
    } catch (error) {
      if (violatedConstraint(error) !== EMAIL_KEY) throw error;
      throw conflict(`Administrator ${email} exists already`, { code: "INVALID", path: "email" });
    }
  }

  /** Creates an administrator if there is no account yet; returns whether it did. */
  async ensureFirst(credentials: Credentials): Promise<boolean> {
    if ((await this.admins.count()) > 0) return false;
    // A start must not fail where an earlier release took the operator's password.
    const account = await this.newAccount(credentials, passwordFormIssue);
    return inTransaction(this.sequelize, async (transaction) => {
      const lock = sql`SELECT pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`;
      await runWithin(this.sequelize, transaction, lock);
      if ((await this.admins.count({ transaction })) > 0) return false;
      await this.admins.create(account, { transaction });
      return true;
    });
  }

  /** @throws DomainError NOT_FOUND */
  async get(email: string): Promise<AccountRecord> {
    return recordOf(await this.existing(email));
  }

  /** @throws DomainError NOT_FOUND */
  async setActive(email: string, isActive: boolean): Promise<AccountRecord> {
    return this.change(email, { isActive });
  }

  /** @throws DomainError NOT_FOUND, INVALID_INPUT */
  async setPassword(email: string, password: string): Promise<AccountRecord> {
    return this.change(email, {
      passwordHash: await this.hashed({ email, password }, isEmailAddress),
    });
  }

  /** Takes all second factors from an account, and ends its sessions. @throws DomainError NOT_FOUND */
  async resetSecondFactors(email: string): Promise<AccountRecord> {
    return inTransaction(this.sequelize, async (transaction) => {
      const admin = await this.existing(email, { transaction, lock: true });
      await resetSecondFactors(this.sequelize, transaction, admin.id);
      return recordOf(admin);
    });
  }

  private async change(
    email: string,
    changes: { isActive?: boolean; passwordHash?: string },
  ): Promise<AccountRecord> {
    return inTransaction(this.sequelize, async (transaction) => {
      const admin = await this.existing(email, { transaction, lock: true });
      return recordOf(await admin.update(changes, { transaction }));
    });
  }

  /** The account of an address, as {@link find}. @throws DomainError NOT_FOUND */
  private async existing(
    email: string,
    how: FindOptions<InferAttributes<Admin>> = {},
  ): Promise<Admin> {
    const admin = await this.find(email, how);
    if (!admin) throw notFound(`Administrator ${email}`);
    return admin;
  }

  /** The account of an address; if accounts have several of its spellings, that of this very spelling. */
  private async find(
    email: string,
    { where = {}, ...how }: FindOptions<InferAttributes<Admin>>,
  ): Promise<Admin | undefined> {
    const ofAddress = { [Op.and]: [isAddress("email", email), where] };
    const found = await this.admins.findAll({ where: ofAddress, order: ["id"], ...how });
    const spelling = foldCase(email);
    return found.find((admin) => foldCase(admin.email) === spelling) ?? found[0];
  }

  private async newAccount({ email: given, password }: Credentials, issueOf = passwordIssue) {
    const email = normalAddress(given);
    const passwordHash = await this.hashed({ email, password }, isNewEmailAddress, issueOf);
    return { email, passwordHash };
  }

  private async hashed(
    { email, password }: Credentials,
    accepts: (email: string) => boolean,
    issueOf = passwordIssue,
  ): Promise<string> {
    const issues = new Issues();
    if (!accepts(email)) issues.add("email", invalid("must be an email"));
    const issue = issueOf(password);
    if (issue) issues.add("password", issue);
    if (issues.all.length > 0) throw invalidInput(issues.all);
    return this.passwords.hash(password);
  }
}

const recordOf = ({ id, email, isActive, role }: AccountRecord): AccountRecord => ({
  id,
  email,
  isActive,
  role,
});
