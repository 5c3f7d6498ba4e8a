import type { Transaction } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql, { join } from "sql-template-tag";
import type { ReadPool } from "../../database/connection/read-pool";
import { violatedConstraint } from "../../database/statements/constraints";
import { ConcurrentChange } from "../../database/statements/failures";
import { selection } from "../../database/statements/selection";
import { runSql } from "../../database/statements/sql";
import { toPlainObject } from "../../database/statements/to-plain-object";
import { OrderItem } from "../../models";
import { orderItemColumns } from "./columns";
import type { OrderItemRecord } from "./order-records";

const PRODUCT_KEY = "order_items_product_id_fkey";

/** Whether items could not be stored because a product was deleted since its price was read. */
export const isDeletedProduct = (error: unknown): boolean =>
  violatedConstraint(error) === PRODUCT_KEY;

/** What was bought, for a SELECT from `order_items`. An item that has no name of that day yet shows today's. */
export const bought = {
  productName: sql`coalesce(product_name,
    (SELECT name FROM products WHERE products.id = order_items.product_id))`,
  productSlug: sql`coalesce(product_slug,
    (SELECT slug FROM products WHERE products.id = order_items.product_id))`,
} as const;

const { productName: _name, productSlug: _slug, ...others } = orderItemColumns;

/** All columns of an item, named like its attributes. */
const columns = join([
  selection(Object.fromEntries(Object.keys(others).map((name) => [name, name]))),
  sql`${bought.productName} AS "productName"`,
  sql`${bought.productSlug} AS "productSlug"`,
]);

/** The stored items of orders. */
export class OrderItems {
  private readonly items: Repository<OrderItem>;

  constructor(
    sequelize: Sequelize,
    private readonly reads: ReadPool,
  ) {
    this.items = sequelize.getRepository(OrderItem);
  }

  /** The items of these orders. Within an order, they are sorted as they were sent. */
  async of(orderIds: readonly number[], transaction?: Transaction): Promise<OrderItemRecord[]> {
    return runSql<OrderItemRecord>(
      this.reads,
      sql`SELECT ${columns} FROM order_items WHERE order_id = ANY(${orderIds}) ORDER BY id`,
      transaction ? { transaction } : { name: "items of orders" },
    );
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
      return stored.map((item) => toPlainObject(item) as OrderItemRecord);
    } catch (error) {
      if (!isDeletedProduct(error)) throw error;
      throw new ConcurrentChange("A product was deleted while it was ordered");
    }
  }
}
