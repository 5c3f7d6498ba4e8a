import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { serverUrl, templateName } from "./server-url";

/** A database of a test file's own. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A clone of the migrated template. */
export const createDatabase = (): Promise<TestDatabase> => create(templateName());

/** A database without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create("template0");

async function create(template: string): Promise<TestDatabase> {
  const name = `tea_shop_test_${randomUUID().replaceAll("-", "")}`;
  await administrate(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl());
  url.pathname = name;
  return {
    url: url.href,
    drop: () => administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Runs one statement on the server's own database. */
export async function administrate(statement: string): Promise<void> {
  await query(serverUrl(), statement);
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query<Row extends object>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
