import type { Sequelize } from "sequelize-typescript";
import type { IdempotencyKeySettings } from "../../config/settings";
import { runSql } from "../../database/statements/sql";
import { deletionOfOld } from "../record/retention";

/**
 * Deletes the idempotency keys that expired longest ago, a batch at most; returns their number. Their orders stay.
 * `IdempotencyKeys` takes no notice of an expired key, deleted or not.
 */
export const deleteExpiredKeys = async (
  sequelize: Sequelize,
  { ttl }: IdempotencyKeySettings,
): Promise<number> => (await runSql(sequelize, deletionOfOld("idempotency_keys", ttl))).length;
