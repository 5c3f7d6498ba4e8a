import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import { Bytes, Integer, Text, Time } from "./column-types";

/** The one-time codes of an administrator (RFC 6238). */
@Table({ tableName: "one_time_codes", timestamps: false })
export class OneTimeCodes extends Model<
  InferAttributes<OneTimeCodes>,
  InferCreationAttributes<OneTimeCodes>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true }) declare adminId: number;
  /** Sealed; null until the first ones are confirmed. */
  @Text declare secret: CreationOptional<string | null>;
  /** Of those that are still to be confirmed. Sealed. */
  @Text declare pendingSecret: CreationOptional<string | null>;
  /** The last step of 30 s whose code was used. */
  @Column({ type: DataType.BIGINT, defaultValue: 0 }) declare lastStep: CreationOptional<number>;
  @Time declare confirmedAt: CreationOptional<Date | null>;
}

/** A code that takes the place of a one-time code, once. */
@Table({ tableName: "recovery_codes", timestamps: false })
export class RecoveryCode extends Model<
  InferAttributes<RecoveryCode>,
  InferCreationAttributes<RecoveryCode>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true }) declare adminId: number;
  @Column({ type: DataType.BLOB, primaryKey: true }) declare digest: Buffer;
}

/** A credential of WebAuthn, which an authenticator of an administrator holds. */
@Table({ tableName: "passkeys", timestamps: false })
export class Passkey extends Model<InferAttributes<Passkey>, InferCreationAttributes<Passkey>> {
  @Column({ type: DataType.UUID, primaryKey: true, defaultValue: DataType.UUIDV4 })
  declare id: CreationOptional<string>;
  @Integer declare adminId: number;
  @Bytes declare credentialId: Buffer;
  /** In COSE (RFC 9052). */
  @Bytes declare publicKey: Buffer;
  /** How often the authenticator says it was used; many always say 0. */
  @Column(DataType.BIGINT) declare counter: number;
  @Column({ type: DataType.ARRAY(DataType.TEXT), defaultValue: [] })
  declare transports: CreationOptional<string[]>;
  @Text declare name: string;
  @Column({ type: DataType.DATE(3), defaultValue: DataType.NOW })
  declare createdAt: CreationOptional<Date>;
  @Time declare lastUsedAt: CreationOptional<Date | null>;
}
