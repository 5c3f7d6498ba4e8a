import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";

/** What is to become of a delivery, or has become of it. */
export const DeliveryState = {
  WAITING: "WAITING",
  DELIVERED: "DELIVERED",
  GIVEN_UP: "GIVEN_UP",
} as const;
export type DeliveryState = keyof typeof DeliveryState;

/** One attempt to deliver an event. */
export interface DeliveryTry {
  /** ISO 8601. */
  readonly at: string;
  /** Null if no answer came. */
  readonly status: number | null;
  /** Why no whole answer came. */
  readonly fault: string | null;
  /** Its first 1,000 characters. */
  readonly answer: string;
}

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
