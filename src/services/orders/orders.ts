import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import type { DataSettings } from "../../config/settings";
import type { ReadPool } from "../../reads/read-pool";
import { inTransaction } from "../../database/statements/transaction";
import {
  newest,
  readKeysetPage,
  readPage,
  type KeysetPage,
  type KeysetRequest,
} from "../../lists/keyset";
import { costOfTotal, type Lists } from "../../lists/lists";
import type { Page, PageRequest } from "../../lists/pagination";
import { Order, type OrderStatus } from "../../models";
import { conflict, notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import type { Meter } from "../../vocabulary/meter";
import { assertVersion, type ChangeTerms } from "../record/versions";
import type { IdempotencyKeys } from "./idempotency-keys";
import type { OrderTerms, PlaceOrderInput } from "./inputs";
import {
  findingCost,
  orderConditions,
  storedTotal,
  storedTotals,
  type OrderQuery,
} from "./order-query";
import { itemsOf, type OrderItemRecord, type OrderRecord, type PlacedOrder } from "./order-records";
import { PlaceOrder } from "./place-order";

/** The states that an order may move to from each state. */
const transitions: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ["PAID", "CANCELLED"],
  PAID: ["CANCELLED"],
  CANCELLED: [],
};

export class Orders {
  private readonly orders = this.sequelize.getRepository(Order);
  private readonly placing: PlaceOrder;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    keys: IdempotencyKeys,
    private readonly lists: Lists,
    private readonly lookups: Lookups,
    private readonly meter: Pick<Meter, "orderPlaced">,
  ) {
    this.placing = new PlaceOrder(sequelize, keys);
  }

  /** A page of orders, newest first. */
  async page(request: PageRequest, query: OrderQuery = {}): Promise<Page<OrderRecord>> {
    const list = this.listOf(query);
    return readPage<OrderRecord>(this.lists, newest, request, list, costOf(query));
  }

  /**
   * Part of all orders by keyset, newest first.
   *
   * @throws DomainError INVALID_INPUT if the cursor is not one of this list
   */
  async keysetPage(
    request: KeysetRequest,
    query: OrderQuery = {},
  ): Promise<KeysetPage<OrderRecord>> {
    const list = this.listOf(query);
    return readKeysetPage<OrderRecord>(this.lists, newest, request, list, costOf(query));
  }

  /** The order with the id, or null. GraphQL's integers fit the database's type of ids. */
  find(id: number): Promise<OrderRecord | null> {
    return this.reads.current.getRepository(Order).findByPk(id, { raw: true });
  }

  /** A text that shows this order to anybody who has it, by {@link findByLookup}. It is valid as long as its secret is. */
  lookupOf(order: LookedUp): string {
    return this.lookups.of(order);
  }

  /**
   * The order that a lookup shows; null for any other text. A text that was forged takes the same work whether
   * there is such an order or not.
   */
  async findByLookup(lookup: string): Promise<OrderRecord | null> {
    const id = idIn(lookup);
    if (id === undefined) return null;
    const order = await this.find(id);
    const isOf = this.lookups.isOf(lookup, order ?? { id, createdAt: new Date(0) });
    return isOf ? order : null;
  }

  /** The items of these orders. Within an order, they are sorted as they were sent. */
  itemsOf(orderIds: readonly number[]): Promise<OrderItemRecord[]> {
    return itemsOf(this.reads.current, orderIds);
  }

  /**
   * Moves an order to another state: PENDING to PAID or CANCELLED, PAID to CANCELLED. Setting the state
   * that it already has changes nothing.
   *
   * @throws DomainError NOT_FOUND, CONFLICT for any other move, or if the order has another version than the expected
   *   one
   */
  async setStatus(id: number, status: OrderStatus, terms: ChangeTerms = {}): Promise<OrderRecord> {
    return inTransaction(this.sequelize, async (transaction) => {
      const order = await this.orders.findByPk(id, { transaction, lock: true });
      if (!order) throw notFound("Order");
      assertVersion("Order", order, terms);
      const current: OrderStatus = order.status;
      if (current === status) return order.get({ plain: true });
      if (!transitions[current].includes(status)) {
        throw conflict(`Order ${id} is ${current} and can't become ${status}`, {
          code: "STATE",
          status: current,
        });
      }
      // Not by the instance, whose `update` returns nothing that a trigger changes, such as the version.
      const [, [changed]] = await this.orders.update(
        { status },
        { where: { id }, returning: true, transaction },
      );
      if (!changed) throw new Error("A locked row is there");
      return changed.get({ plain: true });
    });
  }

  /**
   * Places an order: PENDING, at the current prices, together with its items in one transaction (contract
   * 3.1). A product is refused if its deactivation was acknowledged before; if it is deactivated or changed
   * while the order is placed, it is ordered as it was. Under an idempotency key the same order is placed
   * once, and a repeated request gets the stored order.
   *
   * @throws DomainError INVALID_INPUT naming every product that is unknown or inactive, or the total if
   *   it exceeds what can be stored; CONFLICT if the total is not the expected one;
   *   IDEMPOTENCY_KEY_REUSED; nothing is stored then
   */
  async place(input: PlaceOrderInput, terms: OrderTerms = {}): Promise<PlacedOrder> {
    const placed = await this.placing.place(input, terms);
    if (!placed.replayed) this.meter.orderPlaced(placed.order.totalAmount);
    return placed;
  }

  private listOf({ filter, counted = true, signal }: OrderQuery) {
    return {
      database: this.reads.current,
      model: this.orders,
      ...orderConditions(filter),
      ...storedTotal(filter),
      counted,
      signal,
    };
  }
}

const costOf = (query: OrderQuery): number =>
  findingCost(query) + (storedTotals(query.filter) ? 0 : costOfTotal(query.counted));

/** The signed attributes of an order. They never change. */
type LookedUp = Pick<OrderRecord, "id" | "createdAt">;

/** The id, and 32 bytes in base64url. */
const FORM = /^([1-9][0-9]{0,9})\.[\w-]{43}$/;

/** Texts that show one order to anybody who has them, such as `7.qXv…`: its id, and a signature of the id and the time. */
export class Lookups {
  private readonly key: KeyObject;
  private readonly verifyingKeys: readonly KeyObject[];

  constructor({ secret, previousSecrets }: DataSettings) {
    this.key = keyOf(secret);
    this.verifyingKeys = [this.key, ...previousSecrets.map(keyOf)];
  }

  of(order: LookedUp): string {
    return signed(order, this.key);
  }

  /**
   * Whether a text is a lookup of this order, signed with the present secret or a previous one. {@link idIn} must
   * have found the order's id in the text.
   */
  isOf(lookup: string, order: LookedUp): boolean {
    // Compared as text, because decoding ignores the unused bits of the last character.
    const given = Buffer.from(lookup);
    return this.verifyingKeys.some((key) =>
      timingSafeEqual(given, Buffer.from(signed(order, key))),
    );
  }
}

/** The id in a text of the form of a lookup; undefined if the text has another form, or no order has the id. */
function idIn(lookup: string): number | undefined {
  const id = Number(FORM.exec(lookup)?.[1]);
  return isStorableId(id) ? id : undefined;
}

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** The words before the values distinguish these signatures from those for other purposes. */
function signed({ id, createdAt }: LookedUp, key: KeyObject): string {
  const signature = createHmac("sha256", key)
    .update(`order lookup ${id} ${createdAt.toISOString()}`)
    .digest("base64url");
  return `${id}.${signature}`;
}
