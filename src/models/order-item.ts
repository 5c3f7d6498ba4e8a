import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  NonAttribute,
} from "sequelize";
import { BelongsTo, Column, DataType, ForeignKey, Model, Table } from "sequelize-typescript";
import { Order } from "./order";
import { Product } from "./product";

/** One product of an order, at its price and under its name at the time of the order (contract 2.order-item). */
@Table({ tableName: "order_items", timestamps: false })
export class OrderItem extends Model<
  InferAttributes<OrderItem>,
  InferCreationAttributes<OrderItem>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @ForeignKey(() => Order)
  @Column({ type: DataType.INTEGER, allowNull: false, unique: "order_product" })
  declare orderId: number;

  @ForeignKey(() => Product)
  @Column({ type: DataType.INTEGER, allowNull: false, unique: "order_product" })
  declare productId: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare quantity: number;

  /** A decimal string with 2 decimals. */
  @Column({ type: DataType.DECIMAL(10, 2), allowNull: false })
  declare unitPrice: string;

  /** The name as bought. A trigger fills it, and the slug, where SQL leaves them out. */
  @Column({ type: DataType.TEXT })
  declare productName: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT })
  declare productSlug: CreationOptional<string | null>;

  @BelongsTo(() => Order, "orderId")
  declare order?: NonAttribute<Order>;

  @BelongsTo(() => Product, "productId")
  declare product?: NonAttribute<Product>;
}
