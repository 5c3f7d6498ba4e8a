import { withClient } from "../database/connection/with-client";

/**
 * Whether a migrated database has never been used: it is empty and has no administrator, which a first start creates
 * last. A database whose catalogue was emptied on purpose has an administrator, so it is not new.
 */
export const isNewDatabase = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const tables = ["categories", "products", "orders", "newsletter_subscribers", "admins"];
    const empty = tables.map((table) => `NOT EXISTS (SELECT FROM ${table})`).join(" AND ");
    const { rows } = await client.query<{ isNew: boolean }>(`SELECT ${empty} AS "isNew"`);
    return rows[0]?.isNew === true;
  });
