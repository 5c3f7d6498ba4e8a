import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  NonAttribute,
} from "sequelize";
import { BelongsTo, Column, DataType, ForeignKey, Model, Table } from "sequelize-typescript";
import { Product } from "./product";

/** A price of a product. It ends when the next one begins. Triggers write it, whoever changes the product. */
@Table({ tableName: "product_prices", timestamps: false })
export class ProductPrice extends Model<
  InferAttributes<ProductPrice>,
  InferCreationAttributes<ProductPrice>
> {
  @ForeignKey(() => Product)
  @Column({ type: DataType.INTEGER, primaryKey: true, allowNull: false })
  declare productId: number;

  @Column({ type: DataType.DATE(3), primaryKey: true, allowNull: false })
  declare began: Date;

  /** A decimal string with 2 decimals. */
  @Column({ type: DataType.DECIMAL(10, 2), allowNull: false })
  declare price: string;

  /** Whether it was a mistake, which does not count as a former price. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare isWithdrawn: CreationOptional<boolean>;

  @BelongsTo(() => Product, "productId")
  declare product?: NonAttribute<Product>;
}
