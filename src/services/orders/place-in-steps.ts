import type { Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { insertRow } from "../../database/statements/model-table";
import { conflict, invalidInput } from "../../vocabulary/errors";
import { Order, Product } from "../../models";
import { Money } from "../../vocabulary/money";
import type { Fault } from "../../vocabulary/reasons";
import type { IdempotencyKeys } from "./idempotency-keys";
import type { OrderItems } from "./order-items";
import type { OrderRequest, PlacedOrder } from "./order-records";
import { atCurrentPrices, totalOf } from "./pricing";

const tooLarge: Fault = {
  message: `totalAmount must not exceed ${Money.MAX}`,
  reason: { code: "TOTAL_TOO_LARGE", max: Money.MAX.toString() },
};

/**
 * Places an order in several statements within one transaction. It finds out what prevents an order, and finds
 * the order that was placed before under the same key.
 */
export class PlaceInSteps {
  private readonly orders: Repository<Order>;
  private readonly products: Repository<Product>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly items: OrderItems,
    private readonly keys: IdempotencyKeys,
  ) {
    this.orders = sequelize.getRepository(Order);
    this.products = sequelize.getRepository(Product);
  }

  /**
   * @throws DomainError as `Orders.place` does; ConcurrentChange, or another error after which a repetition may
   *   succeed
   */
  place(order: OrderRequest): Promise<PlacedOrder> {
    return this.sequelize.transaction(async (transaction) => {
      const earlier = order.keyed && (await this.keys.claim(order.keyed, transaction));
      return earlier === undefined
        ? this.store(order, transaction)
        : this.placedBefore(earlier, transaction);
    });
  }

  private async placedBefore(id: number, transaction: Transaction): Promise<PlacedOrder> {
    const order = await this.orders.findByPk(id, { raw: true, rejectOnEmpty: true, transaction });
    return { order, items: await this.items.of([id], transaction), replayed: true };
  }

  private async store(
    { customerEmail, items, expectedTotal, keyed }: OrderRequest,
    transaction: Transaction,
  ): Promise<PlacedOrder> {
    const priced = await atCurrentPrices(items, this.products, transaction);
    const total = totalOf(priced);
    if (!total.fits) throw invalidInput([tooLarge]);
    if (expectedTotal && !total.equals(expectedTotal)) {
      throw conflict(`totalAmount is ${total}, not ${expectedTotal}`, {
        code: "TOTAL_CHANGED",
        path: "expectedTotal",
        total: total.toString(),
      });
    }
    const order = await insertRow(
      this.sequelize,
      this.orders,
      { customerEmail, totalAmount: total.toString() },
      { transaction },
    );
    if (keyed) await this.keys.remember(keyed, order.id, transaction);
    const values = priced.map(({ unitPrice, ...item }) => ({
      ...item,
      orderId: order.id,
      unitPrice: unitPrice.toString(),
    }));
    // Items are stored last, because they lock the products.
    const stored = await this.items.store(values, transaction);
    return { order, items: stored, replayed: false };
  }
}
