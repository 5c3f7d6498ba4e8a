import { Column, DataType } from "sequelize-typescript";

// What the models' columns hold. Whether null is allowed, and the default, is said once: in the migrations.

export const Id = Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true });
export const Text = Column(DataType.TEXT);
export const Integer = Column(DataType.INTEGER);
export const Flag = Column(DataType.BOOLEAN);
export const Time = Column(DataType.DATE(3));
/** A decimal string with 2 decimals. */
export const Decimal = Column(DataType.DECIMAL(10, 2));
export const Json = Column(DataType.JSONB);
export const Bytes = Column(DataType.BLOB);
