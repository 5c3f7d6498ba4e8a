import type { Client } from "pg";
import { withoutTimeout } from "../../database/connection/with-client";
import { SHARE_CUSTOMER_LOCKS } from "./customer-lock";

/** The addresses of orders that `customer_addresses` lacks (migration 020), with repetitions. */
const LACKING = `
  SELECT lower(customer_email) AS address FROM orders
  WHERE NOT EXISTS (SELECT FROM customer_addresses WHERE address = lower(customer_email))`;

/**
 * Counts the lacking addresses, by which orders can't be found. Takes seconds for millions of
 * orders. Changes nothing.
 */
export const countLackingAddresses = (client: Client): Promise<number> =>
  withoutTimeout(client, async () => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(DISTINCT address)::integer FROM (${LACKING}) AS lacking`,
    );
    return rows[0]?.count ?? 0;
  });

/** Adds the lacking addresses, and returns how many. Orders may be placed meanwhile. */
export const addLackingAddresses = (client: Client): Promise<number> =>
  withoutTimeout(client, async () => {
    // The erasure of a customer deletes the address only when nobody has its lock. So this statement, which follows in
    // a snapshot of its own, does not read the address before and add it after that.
    await client.query(SHARE_CUSTOMER_LOCKS);
    const { rowCount } = await client.query(
      `INSERT INTO customer_addresses (address) SELECT DISTINCT address FROM (${LACKING}) AS lacking`,
    );
    return rowCount ?? 0;
  });
