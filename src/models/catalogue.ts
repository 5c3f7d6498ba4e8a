import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import { Decimal, Flag, Id, Integer, Text, Time } from "./column-types";

/** A category of the catalogue (contract 2.category). */
@Table({ tableName: "categories", updatedAt: false })
export class Category extends Model<InferAttributes<Category>, InferCreationAttributes<Category>> {
  @Id declare id: CreationOptional<number>;
  @Text declare name: string;
  @Text declare slug: string;
  @Flag declare isActive: CreationOptional<boolean>;
  @Time declare createdAt: CreationOptional<Date>;
  /** 1 when created, and one more with each change that a client can see; a trigger counts. */
  @Integer declare version: CreationOptional<number>;
}

/** A product of the catalogue (contract 2.product). */
@Table({ tableName: "products" })
export class Product extends Model<InferAttributes<Product>, InferCreationAttributes<Product>> {
  @Id declare id: CreationOptional<number>;
  @Text declare name: string;
  @Text declare slug: string;
  @Text declare description: CreationOptional<string>;
  @Decimal declare price: string;
  @Flag declare isActive: CreationOptional<boolean>;
  @Integer declare categoryId: number;
  @Time declare createdAt: CreationOptional<Date>;
  @Time declare updatedAt: CreationOptional<Date>;
  /** As that of a category. */
  @Integer declare version: CreationOptional<number>;
}

/** A price of a product. It ends when the next one begins. Triggers write it with any change of a product. */
@Table({ tableName: "product_prices", timestamps: false })
export class ProductPrice extends Model<InferAttributes<ProductPrice>> {
  @Column({ type: DataType.INTEGER, primaryKey: true }) declare productId: number;
  @Column({ type: DataType.DATE(3), primaryKey: true }) declare began: Date;
  @Decimal declare price: string;
  /** Whether it was a mistake, which does not count as a former price. */
  @Flag declare isWithdrawn: boolean;
}
