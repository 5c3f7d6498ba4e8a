import type { Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import { violatedConstraint } from "../../database/statements/constraints";
import { ConcurrentChange } from "../../database/statements/failures";
import { toPlainObject } from "../../database/statements/to-plain-object";
import { OrderItem } from "../../models";
import type { OrderItemRecord } from "./placed-order";

const PRODUCT_KEY = "order_items_product_id_fkey";

/** Whether items could not be stored because a product was deleted since its price was read. */
export const isDeletedProduct = (error: unknown): boolean =>
  violatedConstraint(error) === PRODUCT_KEY;

/** The stored items of orders. */
export class OrderItems {
  private readonly items: Repository<OrderItem>;

  constructor(sequelize: Sequelize) {
    this.items = sequelize.getRepository(OrderItem);
  }

  /** The items of these orders. Within an order, they are sorted as they were sent. */
  async of(
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
   * Stores items. From here on their foreign key locks the products.
   *
   * @throws ConcurrentChange if a product was deleted since its price was read
   */
  async store(
    values: Omit<OrderItemRecord, "id">[],
    transaction: Transaction,
  ): Promise<OrderItemRecord[]> {
    try {
      const stored = await this.items.bulkCreate(values, { transaction, returning: true });
      return stored.map((item) => toPlainObject(item));
    } catch (error) {
      if (!isDeletedProduct(error)) throw error;
      throw new ConcurrentChange("A product was deleted while it was ordered");
    }
  }
}
