import type { InferAttributes, Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { violatedConstraint } from "../../database/constraints";
import { Overtaken } from "../../database/failures";
import { newestFirst } from "../../database/list-query";
import { rowsBy } from "../../database/model-table";
import { plain } from "../../database/plain";
import { inTransaction } from "../../database/transaction";
import { conflict, invalidInput, notFound } from "../../errors";
import { Money } from "../../money";
import { Order, OrderItem, Product, type OrderStatus } from "../../models";
import { readKeysetPage, type KeysetPage, type KeysetRequest } from "../lists/keyset";
import { fingerprintOf, type IdempotencyKeys, type KeyedRequest } from "./idempotency-keys";
import { isStorableId } from "../input/ids";
import type { PlaceOrderInput } from "./inputs/place-order-input";
import type { OrderTerms } from "./inputs/order-terms";
import { keptOrders, orderConditions, type OrderQuery } from "./order-query";
import { costOfTotal } from "../lists/list-costs";
import type { Lists } from "../lists/lists";
import { atCurrentPrices, totalOf } from "./pricing";
import { pageOf, partOf, type Page, type PageRequest } from "../lists/pagination";

const PRODUCT_KEY = "order_items_product_id_fkey";

/** An order as lists show it, without its items. */
export type OrderRecord = InferAttributes<Order>;
/** One item of an order. */
export type OrderItemRecord = InferAttributes<OrderItem>;

/** An order with its items, in the order in which they were sent. */
export interface PlacedOrder {
  readonly order: OrderRecord;
  readonly items: OrderItemRecord[];
  /** Whether it was placed before, under the same idempotency key. */
  readonly replayed: boolean;
}

/** The total that the customer agreed to and the keyed request, if the client sent them. */
interface StoreTerms {
  readonly expectedTotal: Money | undefined;
  readonly request: KeyedRequest | undefined;
}

/**
 * The states that an order may move to from each state. Setting the state that it already has changes
 * nothing.
 */
const transitions: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ["PAID", "CANCELLED"],
  PAID: ["CANCELLED"],
  CANCELLED: [],
};

export class Orders {
  private readonly orders: Repository<Order>;
  private readonly items: Repository<OrderItem>;
  private readonly products: Repository<Product>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly keys: IdempotencyKeys,
    private readonly lists: Lists,
  ) {
    this.orders = sequelize.getRepository(Order);
    this.items = sequelize.getRepository(OrderItem);
    this.products = sequelize.getRepository(Product);
  }

  /** A page of orders, newest first. */
  async page(request: PageRequest, query: OrderQuery = {}): Promise<Page<OrderRecord>> {
    const list = { ...this.listOf(query), orderBy: newestFirst, ...partOf(request) };
    return pageOf(request, await this.lists.read(list, costOfTotal(query.counted)));
  }

  /** Part of all orders by keyset, newest first. */
  async keysetPage(
    request: KeysetRequest,
    query: OrderQuery = {},
  ): Promise<KeysetPage<OrderRecord>> {
    const cost = costOfTotal(query.counted);
    return readKeysetPage(this.lists, request, this.listOf(query), cost);
  }

  /** The order with the id, or null. */
  async find(id: number): Promise<OrderRecord | null> {
    if (!isStorableId(id)) return null;
    const [order] = await rowsBy(this.sequelize, this.orders, "id", [id]);
    return order ?? null;
  }

  /** The items of these orders; those of one order as they were sent. */
  async itemsOf(
    orderIds: readonly number[],
    transaction: Transaction | null = null,
  ): Promise<OrderItemRecord[]> {
    return this.items.findAll({
      where: { orderId: [...orderIds] },
      order: ["id"],
      raw: true,
      transaction,
    });
  }

  /**
   * Moves an order to another state: PENDING to PAID or CANCELLED, PAID to CANCELLED. Setting the state
   * that it already has changes nothing.
   *
   * @throws DomainError NOT_FOUND, CONFLICT for any other move
   */
  async setStatus(id: number, status: OrderStatus): Promise<OrderRecord> {
    if (!isStorableId(id)) throw notFound("Order");
    return inTransaction(this.sequelize, async (transaction) => {
      const order = await this.orders.findByPk(id, { transaction, lock: true });
      if (!order) throw notFound("Order");
      const current: OrderStatus = order.status;
      if (current === status) return plain(order);
      if (!transitions[current].includes(status)) {
        throw conflict(`Order ${id} is ${current} and can't become ${status}`);
      }
      return plain(await order.update({ status }, { transaction }));
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
    const request = keyedRequest(input, terms);
    const store = () =>
      inTransaction(this.sequelize, async (transaction) => {
        const earlier = request && (await this.keys.claim(request, transaction));
        return earlier === undefined
          ? this.store(input, { expectedTotal: terms.expectedTotal, request }, transaction)
          : this.placedBefore(earlier, transaction);
      });
    const placed = await (request ? this.keys.inTurn(request.key, store) : store());
    this.lists.noteChange("orders");
    return placed;
  }

  private listOf({ filter, counted = true, signal }: OrderQuery) {
    const where = orderConditions(filter);
    const name = where.length === 0 ? "orders" : undefined;
    return { model: this.orders, where, counted, signal, name, kept: keptOrders(filter) };
  }

  private async placedBefore(id: number, transaction: Transaction): Promise<PlacedOrder> {
    const order = await this.orders.findByPk(id, { raw: true, rejectOnEmpty: true, transaction });
    return { order, items: await this.itemsOf([id], transaction), replayed: true };
  }

  private async store(
    { customerEmail, items }: PlaceOrderInput,
    { expectedTotal, request }: StoreTerms,
    transaction: Transaction,
  ): Promise<PlacedOrder> {
    const priced = await atCurrentPrices(items, this.products, transaction);
    const total = totalOf(priced);
    if (!total.fits) throw invalidInput([`totalAmount must not exceed ${Money.MAX}`]);
    if (expectedTotal && !total.equals(expectedTotal)) {
      throw conflict(`totalAmount is ${total}, not ${expectedTotal}`);
    }
    const order = await this.orders.create(
      { customerEmail, totalAmount: total.toString() },
      { transaction },
    );
    if (request) await this.keys.remember(request, order.id, transaction);
    // Stored last: their foreign key locks the products from here on.
    const values = priced.map(({ unitPrice, ...item }) => ({
      ...item,
      orderId: order.id,
      unitPrice: unitPrice.toString(),
    }));
    return {
      order: plain(order),
      items: await this.storeItems(values, transaction),
      replayed: false,
    };
  }

  /** @throws Overtaken if a product was deleted since its price was read */
  private async storeItems(
    values: Omit<OrderItemRecord, "id">[],
    transaction: Transaction,
  ): Promise<OrderItemRecord[]> {
    try {
      const stored = await this.items.bulkCreate(values, { transaction, returning: true });
      return stored.map((item) => plain(item));
    } catch (error) {
      if (violatedConstraint(error) !== PRODUCT_KEY) throw error;
      throw new Overtaken("A product was deleted while it was ordered");
    }
  }
}

function keyedRequest(
  { customerEmail, items }: PlaceOrderInput,
  { idempotencyKey, expectedTotal }: OrderTerms,
): KeyedRequest | undefined {
  if (idempotencyKey === undefined) return undefined;
  const asked = items.map(({ productId, quantity }) => [productId, quantity]);
  const fingerprint = fingerprintOf([customerEmail, asked, expectedTotal ?? null]);
  return { key: idempotencyKey, fingerprint };
}
