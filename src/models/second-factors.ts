import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, ForeignKey, Model, Table } from "sequelize-typescript";
import { Admin } from "./admin";

/** The one-time codes of an administrator (RFC 6238). */
@Table({ tableName: "one_time_codes", timestamps: false })
export class OneTimeCodes extends Model<
  InferAttributes<OneTimeCodes>,
  InferCreationAttributes<OneTimeCodes>
> {
  @ForeignKey(() => Admin)
  @Column({ type: DataType.INTEGER, primaryKey: true })
  declare adminId: number;

  /** Sealed; null until the first ones are confirmed. */
  @Column({ type: DataType.TEXT })
  declare secret: CreationOptional<string | null>;

  /** Of those that are still to be confirmed. Sealed. */
  @Column({ type: DataType.TEXT })
  declare pendingSecret: CreationOptional<string | null>;

  /** The last step of 30 s whose code was used. */
  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 0 })
  declare lastStep: CreationOptional<number>;

  @Column({ type: DataType.DATE(3) })
  declare confirmedAt: CreationOptional<Date | null>;
}

/** A code that takes the place of a one-time code, once. */
@Table({ tableName: "recovery_codes", timestamps: false })
export class RecoveryCode extends Model<
  InferAttributes<RecoveryCode>,
  InferCreationAttributes<RecoveryCode>
> {
  @ForeignKey(() => Admin)
  @Column({ type: DataType.INTEGER, primaryKey: true })
  declare adminId: number;

  @Column({ type: DataType.BLOB, primaryKey: true })
  declare digest: Buffer;
}

/** A credential of WebAuthn, which an authenticator of an administrator holds. */
@Table({ tableName: "passkeys", timestamps: false })
export class Passkey extends Model<InferAttributes<Passkey>, InferCreationAttributes<Passkey>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: CreationOptional<string>;

  @ForeignKey(() => Admin)
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare adminId: number;

  @Column({ type: DataType.BLOB, allowNull: false })
  declare credentialId: Buffer;

  /** In COSE (RFC 9052). */
  @Column({ type: DataType.BLOB, allowNull: false })
  declare publicKey: Buffer;

  /** How often the authenticator says it was used; many always say 0. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare counter: number;

  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false, defaultValue: [] })
  declare transports: CreationOptional<string[]>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  @Column({ type: DataType.DATE(3) })
  declare lastUsedAt: CreationOptional<Date | null>;
}
