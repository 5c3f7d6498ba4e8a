import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import type { AuditSubject } from "./audit-entry";

/** What other systems are told of. Triggers write it with the change (migration 007). */
@Table({ tableName: "events", timestamps: false })
export class Event extends Model<InferAttributes<Event>, InferCreationAttributes<Event>> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare at: CreationOptional<Date>;

  /** What happened, such as `order.placed`. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: string;

  @Column({ type: DataType.TEXT })
  declare subject: AuditSubject | null;

  @Column({ type: DataType.INTEGER })
  declare subjectId: number | null;

  /** The subject's version after the change. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare version: number;

  /** Null for a placed order of which nothing but the state has changed since: the order has all the rest. */
  @Column({ type: DataType.JSONB })
  declare data: Readonly<Record<string, unknown>> | null;

  @Column({ type: DataType.TEXT })
  declare requestId: string | null;
}
