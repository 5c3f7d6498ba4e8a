import { createHash } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { ConcurrentChange, violatedConstraint } from "../../database/statements/failures";
import { columnsOf } from "../../database/statements/columns";
import { withRetries } from "../../database/statements/transaction";
import { settingWriteContext, runSql } from "../../database/statements/sql";
import { Order, OrderItem } from "../../models";
import { conflict, idempotencyKeyReused, invalidInput } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { Money } from "../../vocabulary/money";
import type { Issue } from "../../vocabulary/reasons";
import { Issues } from "../input/rules";
import { KeyedMutex, type IdempotencyKeys } from "./idempotency-keys";
import type { OrderItemInput, OrderTerms, PlaceOrderInput } from "./inputs";
import { itemsOf, type OrderItemRecord, type PlacedOrder } from "./order-records";

const PRODUCT_KEY = "order_items_product_id_fkey";

const MAX_TOTAL = Money.MAX.toString();

const tooLarge: Issue = {
  message: `totalAmount must not exceed ${MAX_TOTAL}`,
  reason: { code: "TOTAL_TOO_LARGE", max: MAX_TOTAL },
};

/** An idempotency key and the fingerprint of the request that was sent with it; equal requests have equal ones. */
interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** An order that is to be placed, and the terms on which it was sent. */
interface OrderRequest {
  readonly customerEmail: string;
  readonly items: readonly Readonly<OrderItemInput>[];
  /** The total that the customer agreed to. */
  readonly expectedTotal: Money | undefined;
  readonly keyed: KeyedRequest | undefined;
}

/** An item of the order, and the total of the order. */
type StoredItem = OrderItemRecord & { readonly totalAmount: string };

/** The items of an order that are on sale. */
interface Found {
  readonly ids: readonly number[];
  readonly total: string;
  /** Whether the total can be stored. */
  readonly fits: boolean;
}

/** Places orders: by one statement, and where that stores nothing, another one says why. */
export class PlaceOrder {
  private readonly orders = this.sequelize.getRepository(Order);
  private readonly items = this.sequelize.getRepository(OrderItem);
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly sequelize: Sequelize,
    private readonly keys: IdempotencyKeys,
  ) {}

  /** @throws as `Orders.place` does */
  place(input: PlaceOrderInput, terms: OrderTerms): Promise<PlacedOrder> {
    const order = orderRequest(input, terms);
    const place = () => withRetries(() => this.attempt(order));
    return order.keyed ? this.mutex.run(order.keyed.key, place) : place();
  }

  private async attempt(order: OrderRequest): Promise<PlacedOrder> {
    try {
      const stored = await this.store(order);
      if (stored) return stored;
    } catch (error) {
      if (violatedConstraint(error) !== PRODUCT_KEY) throw error;
      return this.placedBefore(order, "A product was deleted while it was ordered");
    }
    return this.placedBefore(
      order,
      order.keyed
        ? "Another order was placed under the same key"
        : "A product has changed while it was ordered",
    );
  }

  /**
   * Stores the order with its items and its key, all of them or nothing, in a transaction of its own. If it stores
   * nothing, the result is undefined: a product is not on sale, the total is too large or not the expected one, or the
   * key was used before, even if it has expired.
   *
   * @throws an error of the database; after some of them a repetition may succeed
   */
  private async store(order: OrderRequest): Promise<PlacedOrder | undefined> {
    const createdAt = new Date();
    const stored = await runSql<StoredItem>(this.sequelize, this.statement(order, createdAt), {
      name: order.keyed ? "place order, keyed" : "place order",
    });
    return placed(order, stored, createdAt);
  }

  /** Each part needs the rows of the parts before it, so either all of them store something or none. */
  private statement(order: OrderRequest, createdAt: Date): Sql {
    const { customerEmail, items, expectedTotal, keyed } = order;
    return sql`
      WITH ${pricedItems(items)}, accepted AS (
        SELECT total FROM (${totalOfPriced}) AS sums
        WHERE found = ${items.length} AND total <= ${MAX_TOTAL}::numeric
          AND total = coalesce(${expectedTotal?.toString()}::numeric, total)
      ), ${keyed ? newOrderUnder(keyed) : newOrder}, placed AS (
        INSERT INTO orders (id, customer_email, total_amount, status, created_at)
        SELECT id, ${customerEmail}, total, 'PENDING', ${createdAt} FROM new_order, accepted, ${settingWriteContext()}
        RETURNING id, total_amount
      ), stored AS (
        INSERT INTO order_items (order_id, product_id, quantity, unit_price, product_name, product_slug)
        SELECT id, product_id, quantity, price, name, slug FROM placed, priced ORDER BY place
        RETURNING *
      )
      SELECT ${columnsOf(this.items)}, (SELECT total_amount FROM placed) AS "totalAmount"
      FROM stored ORDER BY id`;
  }

  /**
   * The order that was placed before under the key of one that could not be stored.
   *
   * @throws DomainError, why the order is refused; ConcurrentChange, with what may have been in its way, if nothing is
   *   any more
   */
  private async placedBefore(
    { items, expectedTotal, keyed }: OrderRequest,
    obstacle: string,
  ): Promise<PlacedOrder> {
    const used = keyed && (await this.keys.find(keyed.key));
    if (used?.hasExpired === false) {
      if (used.fingerprint !== keyed?.fingerprint) throw idempotencyKeyReused();
      const order = await this.orders.findByPk(used.orderId, { raw: true, rejectOnEmpty: true });
      return { order, items: await itemsOf(this.sequelize, [order.id]), replayed: true };
    }
    const [found] = await runSql<Found>(
      this.sequelize,
      sql`WITH ${pricedItems(items)}
          SELECT ARRAY(SELECT product_id FROM priced) AS ids, total, total <= ${MAX_TOTAL}::numeric AS fits
          FROM (${totalOfPriced}) AS sums`,
    );
    if (!found) throw new Error("A SELECT of sums returns them");
    assertOnSale(items, new Set(found.ids));
    if (!found.fits) throw invalidInput([tooLarge]);
    const expected = expectedTotal?.toString() ?? found.total;
    if (expected !== found.total) {
      throw conflict(`totalAmount is ${found.total}, not ${expected}`, {
        code: "TOTAL_CHANGED",
        path: "expectedTotal",
        total: found.total,
      });
    }
    if (used) await this.keys.forget(keyed.key);
    throw new ConcurrentChange(obstacle);
  }
}

/**
 * The common table expression `priced`: the items that are on sale, at the current prices and under the current names
 * of their products. It takes no locks: a steady stream of orders would otherwise hold shared locks all the time, and
 * an update of a product that sells well would never get its turn. The foreign key of stored items prevents a
 * deletion.
 *
 * The lists of items are subqueries, to hide their lengths from the planner. Otherwise it would plan each order anew,
 * at twice the cost of the order itself. `LIMIT` has each product read by its id: of a thousand products, a join
 * would read all.
 */
const pricedItems = (items: OrderRequest["items"]): Sql => sql`asked AS (
    SELECT * FROM unnest(
      (SELECT ${items.map(({ productId }) => (isStorableId(productId) ? productId : null))}::integer[]),
      (SELECT ${items.map(({ quantity }) => quantity)}::integer[])
    ) WITH ORDINALITY AS asked (product_id, quantity, place)
  ), priced AS (
    SELECT product_id, quantity, place, price, name, slug
    FROM asked CROSS JOIN LATERAL (
      SELECT price, name, slug FROM products WHERE id = product_id AND is_active LIMIT 1
    ) AS product
  )`;

/** The sum of unit price times quantity (contract 3.2), and the number of items that are on sale. */
const totalOfPriced = sql`SELECT count(*) AS found, sum(price * quantity) AS total FROM priced`;

/** The common table expression `new_order`: the next number, unless the order is refused (`accepted` is empty). */
const newOrder = sql`new_order AS (SELECT nextval('orders_id_seq') AS id FROM accepted)`;

/**
 * The same for an order with a key, which it stores with the number. Of several orders under one key, in whichever
 * processes, the unique index lets one in; the others wait for its end.
 *
 * If the key is stored already, even one that has expired, it stores nothing, returns no row and takes no number.
 */
const newOrderUnder = ({ key, fingerprint }: KeyedRequest): Sql =>
  sql`new_order AS (
    INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
    SELECT ${key}, ${fingerprint}, nextval('orders_id_seq'), now() FROM accepted
    WHERE NOT key_is_used(${key})
    ON CONFLICT (key) DO NOTHING
    RETURNING order_id AS id
  )`;

/** @throws DomainError INVALID_INPUT naming every product that is unknown or inactive */
function assertOnSale(items: OrderRequest["items"], onSale: ReadonlySet<number>): void {
  const issues = new Issues();
  for (const [index, { productId }] of items.entries()) {
    if (onSale.has(productId)) continue;
    issues.add(`items.${index}.productId`, {
      message: `${productId} does not reference an active product`,
      reason: { code: "PRODUCT_UNAVAILABLE", productId },
    });
  }
  if (issues.all.length > 0) throw invalidInput(issues.all);
}

function orderRequest(
  { customerEmail, items }: PlaceOrderInput,
  { idempotencyKey: key, expectedTotal }: OrderTerms,
): OrderRequest {
  if (key === undefined) return { customerEmail, items, expectedTotal, keyed: undefined };
  const lines = items.map(({ productId, quantity }) => [productId, quantity]);
  const asked = JSON.stringify([customerEmail, lines, expectedTotal ?? null]);
  const fingerprint = createHash("sha256").update(asked).digest("hex");
  return { customerEmail, items, expectedTotal, keyed: { key, fingerprint } };
}

function placed(
  { customerEmail }: OrderRequest,
  stored: StoredItem[],
  createdAt: Date,
): PlacedOrder | undefined {
  const [first] = stored;
  if (!first) return undefined;
  const { orderId: id, totalAmount } = first;
  return {
    order: { id, customerEmail, totalAmount, status: "PENDING", createdAt, version: 1 },
    items: stored,
    replayed: false,
  };
}
