import { literal, Op, type InferAttributes, type WhereOptions } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import type { NewsletterSettings } from "../../config/settings";
import { ConcurrentChange, violatedConstraint } from "../../database/statements/failures";
import { isAddress } from "../../database/statements/has-address";
import { inTransaction } from "../../database/statements/transaction";
import { newest, readPage } from "../../lists/keyset";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import type { Page, PageRequest } from "../../lists/pagination";
import { NewsletterSubscriber } from "../../models";
import type { ReadPool } from "../../reads/read-pool";
import { Email, NewEmail } from "../input/fields";
import type { SubscriptionTokens } from "./subscription-tokens";

export type SubscriberRecord = InferAttributes<NewsletterSubscriber>;

const ADDRESS_KEY = "newsletter_subscribers_email_key";

/** A subscription without a confirmation: one that ended may have been confirmed, but that is over. */
const BEGUN = {
  isActive: true,
  consentedAt: literal("CASE WHEN is_active THEN consented_at END"),
  consentAddress: literal("CASE WHEN is_active THEN consent_address END"),
};

/**
 * Asks for a confirmation, of what is not active. That is an event, and so a mail, at most every 15 minutes for an
 * address: anybody can type in somebody else's, and who really waits for a mail may ask for it again soon.
 */
const REQUESTED = {
  requestedAt: literal(
    "CASE WHEN is_active OR requested_at > now() - interval '15 minutes' THEN requested_at ELSE now() END",
  ),
  requestedVersion: literal(
    "CASE WHEN NOT is_active THEN coalesce(requested_version, version + 1) END",
  ),
};

/**
 * Newsletter subscriptions, one for all spellings of an address; the first one is stored. With `confirmation`, a
 * subscription is not active until its address is confirmed.
 */
export class Subscribers {
  private readonly subscribers: Repository<NewsletterSubscriber>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: Lists,
    private readonly tokens: SubscriptionTokens,
    private readonly settings: NewsletterSettings,
  ) {
    this.subscribers = sequelize.getRepository(NewsletterSubscriber);
  }

  /**
   * Subscribes an address, or renews its subscription; or asks for a confirmation of that. Does not reveal whether the
   * address was already known. One that is known uses up no id.
   */
  subscribe({ email }: SubscribeInput): Promise<void> {
    const waits = this.settings.confirmation;
    return inTransaction(this.sequelize, async (transaction) => {
      const where = isAddress("email", email);
      const [known] = await this.subscribers.update(waits ? REQUESTED : BEGUN, {
        where,
        transaction,
      });
      if (known > 0) return;
      const request = { isActive: false, requestedAt: new Date(), requestedVersion: 1 };
      try {
        await this.subscribers.create({ email, ...(waits && request) }, { transaction });
      } catch (error) {
        if (violatedConstraint(error) !== ADDRESS_KEY) throw error;
        throw new ConcurrentChange("Somebody else has subscribed the address");
      }
    });
  }

  /**
   * Confirms the request that a token is for, from a client's IP address. Returns whether it still waited: false for any
   * other text, too.
   */
  async confirm(token: string, address: string): Promise<boolean> {
    const subscription = await this.named(token);
    const version = subscription ? this.tokens.confirms(token, subscription) : undefined;
    if (!subscription || version === undefined) return false;
    return this.change(
      { id: subscription.id, isActive: false, requestedVersion: { [Op.lte]: version } },
      { isActive: true, consentedAt: new Date(), consentAddress: address },
    );
  }

  /** Ends the subscription that a token is for; returns whether there was one to end. */
  async unsubscribeByToken(token: string): Promise<boolean> {
    const subscription = await this.named(token);
    if (!subscription || !this.tokens.ends(token, subscription)) return false;
    return this.end({ id: subscription.id });
  }

  /** Ends a subscription, or the wait for its confirmation; returns whether there was one to end. */
  unsubscribe({ email }: UnsubscribeInput): Promise<boolean> {
    return this.end(isAddress("email", email));
  }

  private end(which: WhereOptions<SubscriberRecord>): Promise<boolean> {
    const begun = { [Op.or]: [{ isActive: true }, { requestedAt: { [Op.ne]: null } }] };
    const ended = { isActive: false, requestedAt: null, requestedVersion: null };
    return this.change({ [Op.and]: [which, begun] }, ended);
  }

  private change(
    where: WhereOptions<SubscriberRecord>,
    values: Partial<SubscriberRecord>,
  ): Promise<boolean> {
    return inTransaction(this.sequelize, async (transaction) => {
      const [changed] = await this.subscribers.update(values, { where, transaction });
      return changed > 0;
    });
  }

  /** The subscription whose id a token has; whether the token is valid remains to be seen. */
  private async named(token: string): Promise<SubscriberRecord | null> {
    const id = this.tokens.idIn(token);
    return id === undefined ? null : this.subscribers.findByPk(id, { raw: true });
  }

  /** A page of subscribers, newest first. */
  async page(
    request: PageRequest,
    { counted = true, signal }: ListOptions = {},
  ): Promise<Page<SubscriberRecord>> {
    const list = {
      database: this.reads.current,
      model: this.subscribers,
      where: [],
      counted,
      signal,
    };
    return readPage<SubscriberRecord>(this.lists, newest, request, list, costOfTotal(counted));
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
