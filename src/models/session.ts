import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, ForeignKey, Model, Table } from "sequelize-typescript";
import { Admin } from "./admin";

/** A login of an administrator, or a token for a program. It has ended when its row is gone, or its times are over. */
@Table({ tableName: "sessions", timestamps: false })
export class Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: CreationOptional<string>;

  @ForeignKey(() => Admin)
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare adminId: number;

  /** The name of a program's token; null: a person's login. */
  @Column({ type: DataType.TEXT })
  declare program: CreationOptional<string | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare readOnly: CreationOptional<boolean>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare startedAt: CreationOptional<Date>;

  /** Up to a minute old; null: a program's token that was never used. */
  @Column({ type: DataType.DATE(3) })
  declare lastUsedAt: CreationOptional<Date | null>;

  /** When the password or a second factor was last given; null for programs. */
  @Column({ type: DataType.DATE(3) })
  declare confirmedAt: CreationOptional<Date | null>;

  /** The end of the newest token. */
  @Column({ type: DataType.DATE(3), allowNull: false })
  declare idleUntil: Date;

  /** The latest end of all tokens. */
  @Column({ type: DataType.DATE(3), allowNull: false })
  declare endsAt: Date;

  @Column({ type: DataType.TEXT })
  declare address: CreationOptional<string | null>;

  /** The beginning of the client's User-Agent. */
  @Column({ type: DataType.TEXT })
  declare client: CreationOptional<string | null>;
}
