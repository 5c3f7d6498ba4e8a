import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { hasAddress, isAddress } from "../../database/statements/has-address";
import { runSql, runWithin } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { NewsletterSubscriber } from "../../models";
import { currentWriteContext, type WriteContext } from "../../vocabulary/current-work";
import { spellingsOf } from "../../vocabulary/text/email-address";
import { messagesUnderWay } from "../events/delivery-queue";
import {
  Erasure,
  eventsOfCustomer,
  isNoTombstone,
  namesCustomer,
  type ErasedCustomer,
  type Run,
} from "./erasure";
import type { CustomerInput } from "./inputs";

/** What is stored of a customer. */
export interface CustomerData {
  /** As it was asked for. */
  readonly email: string;
  readonly orders: number;
  readonly firstOrderAt: Date | null;
  readonly lastOrderAt: Date | null;
  readonly subscription: InferAttributes<NewsletterSubscriber> | null;
  readonly events: number;
  /** Entries of the audit log that have the address. */
  readonly auditEntries: number;
}

/** A customer who has ordered nothing for long. */
export interface InactiveCustomer {
  /** One spelling, in lower case. */
  readonly address: string;
  readonly lastOrderAt: Date;
}

/** Customers that one statement looks for. */
const BATCH_SIZE = 1_000;

/** Customers are identified by e-mail, in any of its spellings. */
export class Customers {
  private readonly subscribers = this.sequelize.getRepository(NewsletterSubscriber);

  constructor(private readonly sequelize: Sequelize) {}

  /** What is stored of a customer; zeros and nulls for an unknown address. */
  async data({ email }: CustomerInput): Promise<CustomerData> {
    const spellings = spellingsOf(email);
    const subscription = await this.subscribers.findOne({
      where: isAddress("email", email),
      order: [["isActive", "DESC"], "id"],
      raw: true,
    });
    const [counts] = await runSql<Omit<CustomerData, "email" | "subscription">>(
      this.sequelize,
      sql`SELECT count(*)::integer AS orders, min(created_at) AS "firstOrderAt", max(created_at) AS "lastOrderAt",
            (SELECT count(*)::integer FROM (${eventsOfCustomer(spellings)}) AS found) AS events,
            (SELECT count(*)::integer FROM audit_entries WHERE ${namesCustomer(spellings)}) AS "auditEntries"
          FROM orders WHERE ${hasAddress("customer_email", email)}`,
    );
    if (!counts) throw new Error("A SELECT of counts returns them");
    return { email, ...counts, subscription };
  }

  /**
   * Replaces a customer's address by a tombstone, an address that is nobody's, in one transaction: in orders,
   * whose amounts and states stay, in the subscription, which ends, in events and in the audit log. It leaves one entry
   * there, which does not name the address. An unknown address is no error. Orders and subscriptions that come
   * at the same time are either erased or those of a new customer. When this resolves, no webhook is sent with the address.
   *
   * An administrator's account is no customer's: the account and the `actor` of entries keep the address.
   *
   * @throws DomainError UNAVAILABLE if an order of the address is under way for too long
   */
  async erase({ email }: CustomerInput): Promise<ErasedCustomer> {
    const erased = await this.eraseWhole(email);
    if (!erased) throw new Error("An erasure without a condition is done");
    await messagesUnderWay(this.sequelize);
    return erased;
  }

  /**
   * Like {@link erase}, unless the customer has ordered since, has an active subscription, or has no order any more: then
   * nothing is changed, and the result is undefined.
   */
  eraseInactive(address: string, since: Date): Promise<ErasedCustomer | undefined> {
    return this.eraseWhole(address, since);
  }

  /**
   * The customers whose last order was placed before a time and who have no active subscription, a batch at a time, in
   * the order of their addresses. Erased customers are left out.
   */
  async *inactive(since: Date): AsyncGenerator<InactiveCustomer[]> {
    for (let after = ""; ;) {
      const found = await runSql<InactiveCustomer & { readonly isInactive: boolean }>(
        this.sequelize,
        inactiveAfter(after, since),
      );
      yield found
        .filter(({ isInactive }) => isInactive)
        .map(({ address, lastOrderAt }) => ({ address, lastOrderAt }));
      const last = found[BATCH_SIZE - 1];
      if (!last) break;
      after = last.address;
    }
  }

  /**
   * Erases a customer. With `inactiveSince`, it rolls back if the customer proves active. It checks
   * after the replacement, because until then something could still come in between.
   */
  private async eraseWhole(
    address: string,
    inactiveSince?: Date,
  ): Promise<ErasedCustomer | undefined> {
    const writeContext = requiredWriteContext();
    try {
      return await inTransaction(this.sequelize, async (transaction) => {
        const run: Run = (statement) => runWithin(this.sequelize, transaction, statement);
        const erasure = new Erasure(run, spellingsOf(address), writeContext);
        await erasure.begin();
        const found = await erasure.replace();
        await erasure.lockOutOrders();
        const replaced = [found, await erasure.replace()];
        if (inactiveSince) {
          const isSubscribed = replaced.some(({ endsSubscription }) => endsSubscription);
          const isErased = replaced.every(({ orders }) => orders === 0); // by another spelling
          if (isErased || isSubscribed || (await erasure.hasOrderSince(inactiveSince)))
            throw new StillActive();
        }
        return erasure.end(replaced);
      });
    } catch (error) {
      if (error instanceof StillActive) return undefined;
      throw error;
    }
  }
}

/** Rolls an erasure back. */
class StillActive extends Error {}

/** The audit log has to tell who has erased a customer. */
function requiredWriteContext(): WriteContext {
  const writeContext = currentWriteContext();
  if (!writeContext) throw new Error("An erasure says where it comes from");
  return writeContext;
}

/** The newest order of each address after this one. It follows an index from one address to the next. */
const inactiveAfter = (after: string, since: Date): Sql => sql`
  WITH RECURSIVE customers AS (
    (${newestAfter(sql`${after}`)})
    UNION ALL
    SELECT next.* FROM customers CROSS JOIN LATERAL (${newestAfter(sql`customers.address`)}) AS next
  )
  SELECT address, "lastOrderAt", "lastOrderAt" < ${since} AND ${isNoTombstone(sql`address`)} AND NOT EXISTS (
    SELECT FROM newsletter_subscribers WHERE lower(email) = address AND is_active) AS "isInactive"
  FROM (SELECT * FROM customers LIMIT ${BATCH_SIZE}) AS batch`;

const newestAfter = (address: Sql): Sql => sql`
  SELECT lower(customer_email) AS address, created_at AS "lastOrderAt" FROM orders
  WHERE lower(customer_email) > ${address}
  ORDER BY lower(customer_email), created_at DESC, id DESC LIMIT 1`;
