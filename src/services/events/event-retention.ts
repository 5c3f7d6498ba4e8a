import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { BATCH, DAY, deletionOfOld } from "../record/retention";

/** Days, of 24 hours each, for which a delivery is kept after its end. */
const DELIVERY_DAYS = 7;

/** The condition that an endpoint is still to get an event. One that is inactive loses it. */
const isToBeSent = sql`EXISTS (
  SELECT FROM webhook_deliveries JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
  WHERE event_id = events.id AND state = 'WAITING' AND is_active)`;

/** Deletes the oldest events that are older than so many days of 24 hours, with their deliveries; returns their number. */
export async function deleteOldEvents(sequelize: Sequelize, days: number): Promise<number> {
  const statement = sql`
    WITH deleted AS (${deletionOfOld("events", days * DAY, isToBeSent)}), deliveries AS (
      DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM deleted)
    )
    SELECT id FROM deleted`;
  return (await runSql(sequelize, statement)).length;
}

/**
 * Deletes the deliveries that ended longest ago, if that was more than 7 days ago, and of those whose endpoint is gone:
 * its deletion does not see what a transaction writes at the same time. Returns their number.
 */
export async function deleteOldDeliveries(sequelize: Sequelize): Promise<number> {
  const old = await runSql(sequelize, deletionOfOld("webhook_deliveries", DELIVERY_DAYS * DAY));
  return old.length + (await runSql(sequelize, deletionOfOrphans)).length;
}

/** An index leads from each endpoint to the next, however many deliveries there are. */
const deletionOfOrphans = sql`
  WITH RECURSIVE endpoint (id) AS (
    SELECT min(endpoint_id) FROM webhook_deliveries
    UNION ALL
    SELECT (SELECT min(endpoint_id) FROM webhook_deliveries WHERE endpoint_id > endpoint.id)
    FROM endpoint WHERE endpoint.id IS NOT NULL
  )
  DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(
    SELECT orphan.ctid FROM (
      SELECT id FROM endpoint WHERE id NOT IN (SELECT id FROM webhook_endpoints)
    ) AS gone
    CROSS JOIN LATERAL (SELECT ctid FROM webhook_deliveries WHERE endpoint_id = gone.id LIMIT ${BATCH}) AS orphan
    LIMIT ${BATCH}))
  RETURNING id`;
