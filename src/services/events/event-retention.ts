import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { runSql } from "../../database/statements/sql";
import { DAY, deletionOfOld } from "../record/retention";

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

/** Deletes the deliveries that ended longest ago, if that was more than 7 days ago; returns their number. */
export const deleteOldDeliveries = async (sequelize: Sequelize): Promise<number> =>
  (await runSql(sequelize, deletionOfOld("webhook_deliveries", DELIVERY_DAYS * DAY))).length;
