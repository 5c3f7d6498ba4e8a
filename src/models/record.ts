import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Model, Table } from "sequelize-typescript";
import { Id, Integer, Json, Text, Time } from "./column-types";

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
  @Id declare id: CreationOptional<number>;
  @Time declare at: CreationOptional<Date>;
  @Text declare actor: string | null;
  @Text declare door: AuditDoor;
  /** GraphQL's name of the operation, the words of a command, or UPDATE, INSERT or DELETE. */
  @Text declare operation: string;
  @Text declare subject: AuditSubject;
  @Integer declare subjectId: number | null;
  @Json declare changes: readonly AuditChange[];
  /** The client's IP address. */
  @Text declare address: string | null;
  @Text declare requestId: string | null;
  /** The name of an imported file. */
  @Text declare source: string | null;
}

/** An entry of the outbox of webhooks. Triggers write it with the change (migration 007). */
@Table({ tableName: "events", timestamps: false })
export class Event extends Model<InferAttributes<Event>> {
  @Id declare id: number;
  @Time declare at: Date;
  /** What happened, such as `order.placed`. */
  @Text declare type: string;
  @Text declare subject: AuditSubject | null;
  @Integer declare subjectId: number | null;
  /** The subject's version after the change. */
  @Integer declare version: number;
  /** Null for a placed order of which nothing but the state has changed since: the order has all the rest. */
  @Json declare data: Readonly<Record<string, unknown>> | null;
  @Text declare requestId: string | null;
}
