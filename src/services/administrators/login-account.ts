import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/sql";
import { foldCase } from "../../text/email-address";
import { BCRYPT_HASH } from "./passwords";
import type { TokenAccount } from "./tokens";

/** What a login is judged by. */
export interface LoginAccount {
  /** The active account of the e-mail, letter case ignored; undefined where there is none. */
  readonly account: TokenAccount | undefined;
  /** The greatest cost of all stored password hashes; undefined where there is none. */
  readonly dearestCost: number | undefined;
}

/** A row of the account; of nulls, but for the cost, where there is none. */
type Row = { readonly cost: number | null } & (TokenAccount | { readonly id: null });

/** Finds the account that an e-mail logs in to, with the same statement whether there is one or not. */
export async function findLoginAccount(sequelize: Sequelize, email: string): Promise<LoginAccount> {
  const [row] = await runSql<Row>(
    sequelize,
    sql`SELECT dearest.cost, id, email, role, password_hash AS "passwordHash"
        FROM (
          SELECT max(substring(password_hash FROM ${BCRYPT_HASH}::text)::integer) AS cost FROM admins
        ) AS dearest
        LEFT JOIN admins ON lower(email) = ${foldCase(email)} AND is_active`,
  );
  const account = row && row.id !== null ? row : undefined;
  return { account, dearestCost: row?.cost ?? undefined };
}
