import { withClient } from "../database/with-client";

/**
 * Whether a migrated database has never served: it holds nothing, not even an administrator, who comes
 * last at a first start. A catalogue that was emptied on purpose is no new database.
 */
export const isNewDatabase = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const tables = ["categories", "products", "orders", "newsletter_subscribers", "admins"];
    const empty = tables.map((table) => `NOT EXISTS (SELECT FROM ${table})`).join(" AND ");
    const { rows } = await client.query<{ isNew: boolean }>(`SELECT ${empty} AS "isNew"`);
    return rows[0]?.isNew === true;
  });
