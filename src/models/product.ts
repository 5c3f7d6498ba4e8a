import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  NonAttribute,
} from "sequelize";
import { BelongsTo, Column, DataType, ForeignKey, Model, Table } from "sequelize-typescript";
import { Category } from "./category";

/** A product of the catalogue (contract 2.product). */
@Table({ tableName: "products" })
export class Product extends Model<InferAttributes<Product>, InferCreationAttributes<Product>> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false, unique: true })
  declare slug: string;

  @Column({ type: DataType.TEXT, allowNull: false, defaultValue: "" })
  declare description: CreationOptional<string>;

  /** A decimal string with 2 decimals. */
  @Column({ type: DataType.DECIMAL(10, 2), allowNull: false })
  declare price: string;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare isActive: CreationOptional<boolean>;

  @ForeignKey(() => Category)
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare categoryId: number;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare updatedAt: CreationOptional<Date>;

  /** 1 when created, and one more with each change that a client can see; a trigger counts. */
  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: CreationOptional<number>;

  @BelongsTo(() => Category, "categoryId")
  declare category?: NonAttribute<Category>;
}
