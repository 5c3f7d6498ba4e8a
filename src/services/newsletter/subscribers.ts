import { Op, type InferAttributes } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { ConcurrentChange, violatedConstraint } from "../../database/statements/failures";
import { isAddress } from "../../database/statements/has-address";
import { inTransaction } from "../../database/statements/transaction";
import { newestFirst } from "../../lists/list-query";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import { pageOf, partOf, type Page, type PageRequest } from "../../lists/pagination";
import { NewsletterSubscriber } from "../../models";
import { Email, NewEmail } from "../input/fields";

export type SubscriberRecord = InferAttributes<NewsletterSubscriber>;

const ADDRESS_KEY = "newsletter_subscribers_email_key";

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
  subscribe({ email }: SubscribeInput): Promise<void> {
    return inTransaction(this.sequelize, async (transaction) => {
      const [known] = await this.subscribers.update(
        { isActive: true },
        { where: isAddress("email", email), transaction },
      );
      if (known > 0) return;
      try {
        await this.subscribers.create({ email }, { transaction });
      } catch (error) {
        if (violatedConstraint(error) !== ADDRESS_KEY) throw error;
        throw new ConcurrentChange("Somebody else has subscribed the address");
      }
    });
  }

  /** Ends a subscription; returns whether there was one to end. */
  unsubscribe({ email }: UnsubscribeInput): Promise<boolean> {
    return inTransaction(this.sequelize, async (transaction) => {
      const where = { [Op.and]: [isAddress("email", email), { isActive: true }] };
      const [ended] = await this.subscribers.update({ isActive: false }, { where, transaction });
      return ended > 0;
    });
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

export class SubscribeInput {
  @NewEmail()
  email!: string;
}

export class UnsubscribeInput {
  @Email()
  email!: string;
}
