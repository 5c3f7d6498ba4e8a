import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import { Flag, Id, Integer, Text, Time } from "./column-types";

/** An administrator's account; never returned by any endpoint (contract 2.admin). */
@Table({ tableName: "admins", timestamps: false })
export class Admin extends Model<InferAttributes<Admin>, InferCreationAttributes<Admin>> {
  @Id declare id: CreationOptional<number>;
  @Text declare email: string;
  /** Null until an invitation is accepted. */
  @Text declare passwordHash: string | null;
  @Flag declare isActive: CreationOptional<boolean>;
  @Text declare role: CreationOptional<string>;
}

/** A login of an administrator, or a token for a program. It has ended when its row is gone, or its times are over. */
@Table({ tableName: "sessions", timestamps: false })
export class Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  @Column({ type: DataType.UUID, primaryKey: true }) declare id: CreationOptional<string>;
  @Integer declare adminId: number;
  /** The name of a program's token; null: a person's login. */
  @Text declare program: CreationOptional<string | null>;
  @Flag declare readOnly: CreationOptional<boolean>;
  @Time declare startedAt: CreationOptional<Date>;
  /** Up to a minute old; null: a program's token that was never used. */
  @Time declare lastUsedAt: CreationOptional<Date | null>;
  /** When the password or a second factor was last given; null for programs. */
  @Time declare confirmedAt: CreationOptional<Date | null>;
  /** The end of the newest token. */
  @Time declare idleUntil: Date;
  /** The latest end of all tokens. */
  @Time declare endsAt: Date;
  @Text declare address: CreationOptional<string | null>;
  /** The beginning of the client's User-Agent. */
  @Text declare client: CreationOptional<string | null>;
}

/** A newsletter subscription (contract 2.newsletter-subscriber). */
@Table({ tableName: "newsletter_subscribers", updatedAt: false })
export class NewsletterSubscriber extends Model<
  InferAttributes<NewsletterSubscriber>,
  InferCreationAttributes<NewsletterSubscriber>
> {
  @Id declare id: CreationOptional<number>;
  @Text declare email: string;
  @Flag declare isActive: CreationOptional<boolean>;
  @Time declare createdAt: CreationOptional<Date>;
  /** When and from which IP address the subscription was confirmed; null unless it was. */
  @Time declare consentedAt: CreationOptional<Date | null>;
  @Text declare consentAddress: CreationOptional<string | null>;
  /** When a confirmation was last asked for; null unless the subscription waits for one. */
  @Time declare requestedAt: CreationOptional<Date | null>;
  /** The version with which it began to wait; null unless it waits. */
  @Integer declare requestedVersion: CreationOptional<number | null>;
  /** That of its latest event. */
  @Integer declare version: CreationOptional<number>;
}
