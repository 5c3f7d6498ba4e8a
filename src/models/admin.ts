import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";

/** An administrator's account; never returned by any endpoint (contract 2.admin). */
@Table({ tableName: "admins", timestamps: false })
export class Admin extends Model<InferAttributes<Admin>, InferCreationAttributes<Admin>> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare passwordHash: string;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.TEXT, allowNull: false, defaultValue: "ADMIN" })
  declare role: CreationOptional<string>;
}
