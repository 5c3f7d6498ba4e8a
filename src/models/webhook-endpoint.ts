import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";

/** Who is told of events. */
@Table({ tableName: "webhook_endpoints", updatedAt: false })
export class WebhookEndpoint extends Model<
  InferAttributes<WebhookEndpoint>,
  InferCreationAttributes<WebhookEndpoint>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare url: string;

  @Column({ type: DataType.TEXT, allowNull: false, defaultValue: "" })
  declare description: CreationOptional<string>;

  /** The types of events that it gets; none: all. */
  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false, defaultValue: [] })
  declare types: CreationOptional<readonly string[]>;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare isActive: CreationOptional<boolean>;

  /** Why the service has made it inactive. */
  @Column({ type: DataType.TEXT })
  declare disabledBecause: CreationOptional<string | null>;

  /** When the present series of failures began. */
  @Column({ type: DataType.DATE(3) })
  declare failingSince: CreationOptional<Date | null>;

  /** Whether `order.placed` has the `lookup` of the order. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare includeLookup: CreationOptional<boolean>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: CreationOptional<number>;

  /** Sealed. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare secret: string;

  /** Signs beside the present one for a day after a rotation. Sealed. */
  @Column({ type: DataType.TEXT })
  declare previousSecret: CreationOptional<string | null>;

  @Column({ type: DataType.DATE(3) })
  declare rotatedAt: CreationOptional<Date | null>;
}
