import { DatabaseError, type Client } from "pg";
import { messageOf, OperatorError } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";
import type { Place } from "./features/feature";

const INSUFFICIENT_PRIVILEGE = "42501";

/** Seconds after which what a check has created belongs to none that still runs. */
const LONGEST_CHECK = 3_600;

/**
 * Creates a schema for trials. Where the role may create none, they share the one in which migrations create tables,
 * and nothing there has such names. First, what killed checks have left behind is removed.
 *
 * @throws OperatorError if the role may not create tables either
 */
export const createPlace = (
  databaseUrl: string,
  prefix: string,
  patience: number,
): Promise<Place> =>
  withClient(
    databaseUrl,
    async (client) => {
      await removeRemains(client);
      try {
        await client.query(`CREATE SCHEMA ${prefix}`);
        return { schema: prefix, prefix, tables: [] };
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
        return { schema: await schemaForTables(client, error), prefix, tables: [] };
      }
    },
    { patience },
  );

async function schemaForTables(client: Client, refusal: Error): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT quote_ident(current_schema()) AS schema
     WHERE has_schema_privilege(current_schema(), 'CREATE')`,
  );
  if (rows[0]) return rows[0].schema;
  throw new OperatorError(
    `Nothing can be tried: the role may create neither a schema (${messageOf(refusal)}) nor a table in the first schema of its search_path, as migrations do`,
  );
}

/** @throws OperatorError that names what is left */
export async function removePlace(
  databaseUrl: string,
  { schema, prefix, tables }: Place,
  patience: number,
): Promise<void> {
  const statement =
    schema === prefix
      ? `DROP SCHEMA ${schema} CASCADE`
      : tables.length > 0 && `DROP TABLE IF EXISTS ${tables.join(", ")}`;
  if (statement === false) return;
  try {
    await withClient(databaseUrl, (client) => client.query(statement), { patience });
  } catch (error) {
    throw new OperatorError(
      `Something of the check is left, because ${messageOf(error)}. Run: ${statement}`,
      { cause: error },
    );
  }
}

/** What can't be removed stays, because it may be another role's; and an engine may have other catalogues. */
async function removeRemains(client: Client): Promise<void> {
  const ours = (name: string): string =>
    `${name} ~ '^tea_shop_check_[0-9]{1,12}_[0-9a-f]{12}'
     AND split_part(${name}, '_', 4)::bigint < extract(epoch FROM now()) - ${LONGEST_CHECK}`;
  try {
    const { rows } = await client.query<{ statement: string }>(
      `SELECT format('DROP SCHEMA IF EXISTS %I CASCADE', nspname) AS statement FROM pg_namespace
       WHERE ${ours("nspname")} AND pg_has_role(nspowner, 'USAGE')
       UNION ALL SELECT format('DROP TABLE IF EXISTS %I.%I', nspname, relname)
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE ${ours("relname")} AND relkind = 'r' AND nspname = current_schema() AND pg_has_role(relowner, 'USAGE')`,
    );
    for (const { statement } of rows) await client.query(statement);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
  }
}
