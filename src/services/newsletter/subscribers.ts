import type { InferAttributes } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import { updateRow } from "../../database/statements/model-table";
import { newestFirst } from "../../lists/list-query";
import { origin, runSql } from "../../database/statements/sql";
import { NewsletterSubscriber } from "../../models";
import type { SubscribeInput, UnsubscribeInput } from "./subscribe-input";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import { pageOf, partOf, type Page, type PageRequest } from "../../lists/pagination";

export type SubscriberRecord = InferAttributes<NewsletterSubscriber>;

/** Newsletter subscriptions, one for all spellings of an address; the first one is stored. */
export class Subscribers {
  private readonly subscribers: Repository<NewsletterSubscriber>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly lists: Lists,
  ) {
    this.subscribers = sequelize.getRepository(NewsletterSubscriber);
  }

  /**
   * Subscribes an address, or renews its subscription. Does not reveal whether it was already known. An address that
   * is known uses up no id.
   */
  async subscribe({ email }: SubscribeInput): Promise<void> {
    await runSql(
      this.sequelize,
      sql`WITH known AS (
            UPDATE newsletter_subscribers SET is_active = true FROM ${origin()}
            WHERE ${hasAddress("email", email)} RETURNING id
          )
          INSERT INTO newsletter_subscribers (email)
          SELECT ${email} FROM ${origin()} WHERE NOT EXISTS (SELECT FROM known)
          ON CONFLICT (lower(email)) DO UPDATE SET is_active = true`,
    );
  }

  /** Ends a subscription; returns whether there was one to end. */
  async unsubscribe({ email }: UnsubscribeInput): Promise<boolean> {
    const active = [hasAddress("email", email), sql`is_active`];
    const ended = await updateRow(this.sequelize, this.subscribers, active, { isActive: false });
    return ended !== undefined;
  }

  /** A page of subscribers, newest first. */
  async page(
    request: PageRequest,
    { counted = true, signal }: ListOptions = {},
  ): Promise<Page<SubscriberRecord>> {
    const query = {
      model: this.subscribers,
      where: [],
      orderBy: newestFirst,
      counted,
      signal,
      ...partOf(request),
    };
    return pageOf(request, await this.lists.read(query, costOfTotal(counted)));
  }
}
