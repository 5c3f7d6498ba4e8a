/** @check */

import { Client } from "pg";
import { useApp } from "../support/app";

const app = useApp();

/** A join that looks at all of one table of changed rows for each row of the other. */
const COMPARES_EACH = /Nested Loop.*\n(?: +Join Filter.*\n)? +-> +Named Tuplestore/;

/** The plans of what triggers do while a session changes one row of a table, and then all of them. */
async function plansOf(table: string, change: string): Promise<string[]> {
  const plans: string[] = [];
  const session = new Client({ connectionString: app.database.url });
  session.on("notice", ({ message }) => message?.includes("plan:") && plans.push(message));
  await session.connect();
  await session.query(`UPDATE ${table} SET ${change} WHERE id = (SELECT min(id) FROM ${table})`);
  await session.query(`LOAD 'auto_explain';
    SET auto_explain.log_min_duration = 0;
    SET auto_explain.log_nested_statements = on;
    SET client_min_messages = log`);
  await session.query(`UPDATE ${table} SET ${change}`);
  await session.end();
  return plans.filter((plan) => plan.includes("Tuplestore"));
}

// PostgreSQL keeps the plan that it makes for the first change of a session. One that compares each row with each is the
// best for one row; for a hundred thousand it takes hours.
test.each([
  ["categories", "name = name || '!'"],
  ["products", "price = price + 1"],
  ["orders", "status = 'PAID'"],
  ["newsletter_subscribers", "is_active = NOT is_active"],
])("a change of all %s compares no row with each", async (table, change) => {
  for (let n = 0; n < 2; n += 1) {
    await app.make.product();
    await app.make.order();
    await app.make.subscriber();
  }
  const plans = await plansOf(table, change);
  expect(plans.length).toBeGreaterThanOrEqual(2);
  for (const plan of plans) expect(plan).not.toMatch(COMPARES_EACH);
});
