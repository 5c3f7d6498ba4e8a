import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  NonAttribute,
} from "sequelize";
import { Column, DataType, HasMany, Model, Table } from "sequelize-typescript";
import { Product } from "./product";

/** A category of the catalogue (contract 2.category). */
@Table({ tableName: "categories", updatedAt: false })
export class Category extends Model<InferAttributes<Category>, InferCreationAttributes<Category>> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false, unique: true })
  declare slug: string;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  /** 1 when created, and one more with each change that a client can see; a trigger counts. */
  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: CreationOptional<number>;

  @HasMany(() => Product, "categoryId")
  declare products?: NonAttribute<Product[]>;
}
