import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  NonAttribute,
} from "sequelize";
import { Column, DataType, HasMany, Model, Table } from "sequelize-typescript";
import { OrderItem } from "./order-item";

/** The states of an order (contract 3). */
export const OrderStatus = { PENDING: "PENDING", PAID: "PAID", CANCELLED: "CANCELLED" } as const;
export type OrderStatus = keyof typeof OrderStatus;

/** A customer's order (contract 2.order). */
@Table({ tableName: "orders", updatedAt: false })
export class Order extends Model<InferAttributes<Order>, InferCreationAttributes<Order>> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare customerEmail: string;

  /** A decimal string with 2 decimals. */
  @Column({ type: DataType.DECIMAL(10, 2), allowNull: false })
  declare totalAmount: string;

  @Column({
    type: DataType.ENUM(...Object.keys(OrderStatus)),
    allowNull: false,
    defaultValue: "PENDING",
  })
  declare status: CreationOptional<OrderStatus>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  /** 1 when created, and one more with each change that a client can see; a trigger counts. */
  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: CreationOptional<number>;

  @HasMany(() => OrderItem, "orderId")
  declare items?: NonAttribute<OrderItem[]>;
}
