import type { InferAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import { Decimal, Id, Integer, Text, Time } from "./column-types";

/** The states of an order (contract 3). */
export const OrderStatus = { PENDING: "PENDING", PAID: "PAID", CANCELLED: "CANCELLED" } as const;
export type OrderStatus = keyof typeof OrderStatus;

/** A customer's order (contract 2.order). */
@Table({ tableName: "orders", updatedAt: false })
export class Order extends Model<InferAttributes<Order>> {
  @Id declare id: number;
  @Text declare customerEmail: string;
  @Decimal declare totalAmount: string;
  @Column(DataType.ENUM(...Object.keys(OrderStatus))) declare status: OrderStatus;
  @Time declare createdAt: Date;
  /** 1 when created, and one more with each change that a client can see; a trigger counts. */
  @Integer declare version: number;
}

/** One product of an order, at its price and under its name at the time of the order (contract 2.order-item). */
@Table({ tableName: "order_items", timestamps: false })
export class OrderItem extends Model<InferAttributes<OrderItem>> {
  @Id declare id: number;
  @Integer declare orderId: number;
  @Integer declare productId: number;
  @Integer declare quantity: number;
  @Decimal declare unitPrice: string;
  /** The name as bought. A trigger fills it, and the slug, where SQL leaves them out. */
  @Text declare productName: string;
  @Text declare productSlug: string;
}

/** An idempotency key with the order that was placed under it, so that a retry finds that order. */
@Table({ tableName: "idempotency_keys", updatedAt: false })
export class IdempotencyKey extends Model<InferAttributes<IdempotencyKey>> {
  @Column({ type: DataType.TEXT, primaryKey: true }) declare key: string;
  /** SHA-256 of the request, in hexadecimal. */
  @Text declare fingerprint: string;
  @Integer declare orderId: number;
  @Time declare createdAt: Date;
}
