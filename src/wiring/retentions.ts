import type { Logger } from "pino";
import type { Sequelize } from "sequelize-typescript";
import type { Settings } from "../config/settings";
import { deleteOldDeliveries, deleteOldEvents } from "../services/events/event-retention";
import { deleteExpiredKeys } from "../services/orders/key-retention";
import { deleteOldEntries } from "../services/record/audit-retention";
import { PAUSES, Retention } from "../services/record/retention";

/**
 * Deletes old rows from now on: entries of the audit log, if they are not kept for ever, events, deliveries of
 * webhooks, and idempotency keys.
 */
export function startRetentions(
  sequelize: Sequelize,
  { auditRetention, eventRetention, idempotencyKeys }: Settings,
  logger: Logger,
  failed: (error: unknown) => void,
): Retention[] {
  const entries =
    auditRetention === undefined
      ? []
      : new Retention(() => deleteOldEntries(sequelize, auditRetention), {
          deleted: (entries) => logger.info({ entries }, "deleted old entries of the audit log"),
          failed,
        });
  const later = { ...PAUSES, first: 60_000 }; // a start has something better to do
  const events = new Retention(
    () => deleteOldEvents(sequelize, eventRetention),
    { deleted: (events) => logger.info({ events }, "deleted old events"), failed },
    later,
  );
  const deliveries = new Retention(
    () => deleteOldDeliveries(sequelize),
    { deleted: (deliveries) => logger.info({ deliveries }, "deleted old deliveries"), failed },
    later,
  );
  const keys = new Retention(
    () => deleteExpiredKeys(sequelize, idempotencyKeys),
    { deleted: (keys) => logger.info({ keys }, "deleted expired idempotency keys"), failed },
    later,
  );
  return [entries, events, deliveries, keys].flat();
}
