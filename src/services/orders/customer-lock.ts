import sql, { type Sql } from "sql-template-tag";

/**
 * The class of the advisory locks that orders share, each that of its address, until their transaction ends (migration
 * 029). While a transaction holds one exclusively, no order of the address is under way.
 */
const CUSTOMER_LOCKS = 7_238_004;

/** The numbers of the locks of addresses, in the one order in which they may be taken. */
export const customerLocks = (addresses: readonly string[]): Sql =>
  sql`SELECT DISTINCT customer_lock(address) AS number FROM unnest(${addresses}::text[]) AS address ORDER BY number`;

/** Takes a lock exclusively until the end of the transaction, if it is free. Never waits. */
export const tryCustomerLock = (number: number): Sql =>
  sql`SELECT pg_try_advisory_xact_lock(${CUSTOMER_LOCKS}, ${number}::integer) AS locked`;
