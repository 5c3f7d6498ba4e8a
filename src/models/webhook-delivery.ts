import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import type { DeliveryState, DeliveryTry } from "../vocabulary/webhooks";

/** An event that an endpoint gets. */
@Table({ tableName: "webhook_deliveries", timestamps: false })
export class WebhookDelivery extends Model<
  InferAttributes<WebhookDelivery>,
  InferCreationAttributes<WebhookDelivery>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare endpointId: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare eventId: number;

  @Column({ type: DataType.TEXT, allowNull: false, defaultValue: "WAITING" })
  declare state: CreationOptional<DeliveryState>;

  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 0 })
  declare attempts: CreationOptional<number>;

  @Column({ type: DataType.DATE(3) })
  declare nextAttemptAt: CreationOptional<Date | null>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  @Column({ type: DataType.JSONB, allowNull: false, defaultValue: [] })
  declare tries: CreationOptional<readonly DeliveryTry[]>;
}
