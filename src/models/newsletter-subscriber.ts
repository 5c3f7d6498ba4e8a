import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";

/** A newsletter subscription (contract 2.newsletter-subscriber). */
@Table({ tableName: "newsletter_subscribers", updatedAt: false })
export class NewsletterSubscriber extends Model<
  InferAttributes<NewsletterSubscriber>,
  InferCreationAttributes<NewsletterSubscriber>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.DATE(3), allowNull: false })
  declare createdAt: CreationOptional<Date>;

  /** When and from which IP address the subscription was confirmed; null unless it was. */
  @Column(DataType.DATE(3))
  declare consentedAt: CreationOptional<Date | null>;

  @Column(DataType.TEXT)
  declare consentAddress: CreationOptional<string | null>;

  /** When a confirmation was last asked for; null unless the subscription waits for one. */
  @Column(DataType.DATE(3))
  declare requestedAt: CreationOptional<Date | null>;

  /** The version with which it began to wait; null unless it waits. */
  @Column(DataType.INTEGER)
  declare requestedVersion: CreationOptional<number | null>;

  /** That of its latest event. */
  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: CreationOptional<number>;
}
