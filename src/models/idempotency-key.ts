import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, ForeignKey, Model, Table } from "sequelize-typescript";
import { Order } from "./order";

/** An idempotency key with the order that was placed under it, so that a retry finds that order. */
@Table({ tableName: "idempotency_keys", updatedAt: false })
export class IdempotencyKey extends Model<
  InferAttributes<IdempotencyKey>,
  InferCreationAttributes<IdempotencyKey>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare key: string;

  /** SHA-256 of the request, in hexadecimal. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare fingerprint: string;

  @ForeignKey(() => Order)
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare orderId: number;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;
}
