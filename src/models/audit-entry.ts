import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";

/** A field that a change has set, as GraphQL names and shows it. */
export interface AuditChange {
  readonly field: string;
  /** Null if the subject was created, or had no value. */
  readonly before: string | null;
  /** Null if the subject was deleted, or has no value. */
  readonly after: string | null;
}

/** The ways in which something can be changed. */
export const AuditDoor = {
  REST: "REST",
  GRAPHQL: "GRAPHQL",
  COMMAND_LINE: "COMMAND_LINE",
  DATABASE: "DATABASE",
} as const;
export type AuditDoor = keyof typeof AuditDoor;

/** What can be changed. */
export const AuditSubject = {
  CATEGORY: "CATEGORY",
  PRODUCT: "PRODUCT",
  ORDER: "ORDER",
  NEWSLETTER_SUBSCRIBER: "NEWSLETTER_SUBSCRIBER",
  ADMINISTRATOR: "ADMINISTRATOR",
  WEBHOOK_ENDPOINT: "WEBHOOK_ENDPOINT",
  CUSTOMER: "CUSTOMER",
} as const;
export type AuditSubject = keyof typeof AuditSubject;

/** An entry of the audit log. Triggers write it with the change (migration 006). */
@Table({ tableName: "audit_entries", timestamps: false })
export class AuditEntry extends Model<
  InferAttributes<AuditEntry>,
  InferCreationAttributes<AuditEntry>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare at: CreationOptional<Date>;

  @Column({ type: DataType.TEXT })
  declare actor: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare door: AuditDoor;

  /** GraphQL's name of the operation, the words of a command, or UPDATE, INSERT or DELETE. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare operation: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare subject: AuditSubject;

  @Column({ type: DataType.INTEGER })
  declare subjectId: number | null;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare changes: readonly AuditChange[];

  /** The client's IP address. */
  @Column({ type: DataType.TEXT })
  declare address: string | null;

  @Column({ type: DataType.TEXT })
  declare requestId: string | null;

  /** The name of an imported file. */
  @Column({ type: DataType.TEXT })
  declare source: string | null;
}
