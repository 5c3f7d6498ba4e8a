import { setTimeout } from "node:timers/promises";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { FRESH } from "../../vocabulary/deliveries";

/** Milliseconds by which a timer may be early, and a clock slow. */
const MARGIN = 50;

/**
 * Resolves when no process writes a message any more as it was before a change that is committed. Without a delivery that
 * waits, that is at once.
 */
export async function messagesUnderWay(sequelize: Sequelize): Promise<void> {
  // In the order of an index, because the planner may know nothing of those that wait.
  const waiting = await runSql(
    sequelize,
    sql`SELECT FROM webhook_deliveries WHERE state = 'WAITING'
        ORDER BY endpoint_id, next_attempt_at, id LIMIT 1`,
    { name: "messages under way" },
    // The change is done, so it does not fail: if the database is away, it may have deliveries that wait.
  ).catch(() => [undefined]);
  if (waiting.length > 0) await setTimeout(FRESH + MARGIN);
}
