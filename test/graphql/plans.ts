import { Client } from "pg";
import type { TestApp } from "../support/app";

/** A node of a plan. */
export interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Loops": number;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: Plan[];
}

/** All nodes that are carried out of the plan of the first statement of `work` that has these words. */
export async function planOf(
  app: TestApp,
  work: () => Promise<unknown>,
  words = "LIMIT",
): Promise<Plan[]> {
  const spy = jest.spyOn(Client.prototype, "query");
  await work();
  // The service's own housekeeping may send statements as plain texts meanwhile.
  const calls = spy.mock.calls as unknown as [{ text?: string; values: unknown[] }][];
  const [{ text, values }] = calls.find(([statement]) => statement.text?.includes(words))!;
  spy.mockRestore();
  const [row] = await app.sql<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const carriedOut = (plan: Plan): Plan[] =>
    plan["Actual Loops"] === 0 ? [] : [plan, ...(plan.Plans ?? []).flatMap(carriedOut)];
  return carriedOut(row!["QUERY PLAN"][0].Plan);
}
