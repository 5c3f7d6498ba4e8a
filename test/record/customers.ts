import { Client } from "pg";
import { dataOf } from "../graphql/client";
import type { TestApp } from "../support/app";

/** What GraphQL tells of an erasure. */
export interface Erased {
  readonly tombstone: string;
  readonly orders: number;
  readonly subscriptions: number;
  readonly events: number;
  readonly auditEntries: number;
}

export const TOMBSTONE = /^erased-[0-9a-f]{24}@erased\.invalid$/;

/** Erases a customer over GraphQL. */
export async function erase(app: TestApp, email: string): Promise<Erased> {
  const { eraseCustomer } = await dataOf<{ eraseCustomer: Erased }>(
    app,
    `mutation ($email: String!) {
      eraseCustomer(email: $email) { tombstone orders subscriptions events auditEntries }
    }`,
    { email },
  );
  return eraseCustomer;
}

/** What GraphQL shows of a customer. */
export interface CustomerData {
  readonly email: string;
  readonly orders: number;
  readonly firstOrderAt: string | null;
  readonly lastOrderAt: string | null;
  readonly subscription: { readonly email: string; readonly isActive: boolean } | null;
  readonly events: number;
  readonly auditEntries: number;
}

/** Asks GraphQL for what is stored of a customer. */
export async function dataOfCustomer(app: TestApp, email: string): Promise<CustomerData> {
  const { customerData } = await dataOf<{ customerData: CustomerData }>(
    app,
    `query ($email: String!) {
      customerData(email: $email) {
        email orders firstOrderAt lastOrderAt subscription { email isActive } events auditEntries
      }
    }`,
    { email },
  );
  return customerData;
}

/** The addresses of the orders that a search finds. */
export async function found(app: TestApp, customerSearch: string): Promise<string[]> {
  const { orders } = await dataOf<{ orders: { data: { customerEmail: string }[] } }>(
    app,
    `query ($filter: OrderFilter) { orders(filter: $filter) { data { customerEmail } } }`,
    { filter: { customerSearch } },
  );
  return orders.data.map(({ customerEmail }) => customerEmail);
}

/** A session beside the service, which ends with the test. */
export async function sessionOf({ database }: TestApp): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/** Places an order beside the service. */
export const orderBySql = (client: Pick<Client, "query">, email: string) =>
  client.query("INSERT INTO orders (customer_email, total_amount) VALUES ($1, 5)", [email]);

/** Whether an erasure waits for orders that are under way. */
export async function isWaiting(app: TestApp): Promise<boolean> {
  const waiting = await app.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
       AND query LIKE '%pg_try_advisory_xact_lock%'`,
  );
  return waiting.length > 0;
}
