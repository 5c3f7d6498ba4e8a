import type { Client } from "pg";
import sql, { type Sql } from "sql-template-tag";
import { withoutTimeout } from "../../database/connection/with-client";

/**
 * The class of the advisory locks that orders share, each that of its address, until their transaction ends (migration
 * 029). Whoever has one alone knows that no order of the address is under way.
 */
const CUSTOMER_LOCKS = 7_238_004;

/** How many locks there are: numbers from 0. */
const LOCKS = 256;

/** The numbers of the locks of addresses, in the one order in which they may be taken. */
export const customerLocks = (addresses: readonly string[]): Sql =>
  sql`SELECT DISTINCT customer_lock(address) AS number FROM unnest(${addresses}::text[]) AS address ORDER BY number`;

/** Takes a lock alone, until the end of the transaction, if nobody has it. Never waits. */
export const tryCustomerLock = (number: number): Sql =>
  sql`SELECT pg_try_advisory_xact_lock(${CUSTOMER_LOCKS}, ${number}::integer) AS locked`;

/** Shares the locks of all addresses, as a transaction does that has orders of all of them. */
const SHARE_CUSTOMER_LOCKS = `
  SELECT count(pg_advisory_xact_lock_shared(${CUSTOMER_LOCKS}, number))
  FROM generate_series(0, ${LOCKS - 1}) AS number`;

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
