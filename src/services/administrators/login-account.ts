import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { isOnlyOf } from "../../database/statements/has-address";
import { runSql } from "../../database/statements/sql";
import { BCRYPT_HASH } from "./passwords";
import type { TokenAccount } from "./tokens";

/** Names an account: any spelling of its e-mail address, or the id. */
export type AccountKey = { readonly email: string } | { readonly id: number };

/** The stored data that a password is checked against. */
interface LoginAccount {
  /** The active account of the key; undefined if there is none. */
  readonly account: TokenAccount | undefined;
  /** The highest bcrypt cost of all stored password hashes; undefined if there is none. */
  readonly highestCost: number | undefined;
}

/** If there is no such account, all columns except the cost are null. */
type Row = { readonly cost: number | null } & (TokenAccount | { readonly id: null });

/** Finds the account of a key. The statement is the same whether there is an account or not. */
export async function findLoginAccount(
  sequelize: Sequelize,
  key: AccountKey,
): Promise<LoginAccount> {
  const isOfKey = "id" in key ? sql`id = ${key.id}` : isOnlyOf("admins", key.email, sql`is_active`);
  const [row] = (await runSql(
    sequelize,
    sql`SELECT highest.cost, id, email, role, password_hash AS "passwordHash"
        FROM (
          SELECT max(substring(password_hash FROM ${BCRYPT_HASH}::text)::integer) AS cost FROM admins
        ) AS highest
        LEFT JOIN admins ON ${isOfKey} AND is_active`,
  )) as [Row];
  const account = row.id !== null ? row : undefined;
  return { account, highestCost: row.cost ?? undefined };
}
