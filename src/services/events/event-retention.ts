import type { Sequelize } from "sequelize-typescript";
import { runSql } from "../../database/statements/sql";
import { deletionOfOld } from "../record/retention";

/** Deletes the oldest events that are older than so many days of 24 hours; returns their number. */
export const deleteOldEvents = async (sequelize: Sequelize, days: number): Promise<number> =>
  (await runSql(sequelize, deletionOfOld("events", days))).length;
