import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { ReadPool } from "../../reads/read-pool";
import { runSql, runWithin } from "../../database/statements/sql";
import { inTransaction } from "../../database/statements/transaction";
import { Product, ProductPrice } from "../../models";
import { conflict, notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { assertVersion, type ChangeTerms } from "../record/versions";
import type { ProductRecord } from "./products";

/** A price that is or was in force; its amount is decimal text with 2 places. */
export interface PriceRecord {
  readonly price: string;
  readonly from: Date;
  /** When the next one began; null for the present one. */
  readonly until: Date | null;
  /** Whether it was a mistake, and counts as no former price. */
  readonly isWithdrawn: boolean;
}

/** 30 times 24 hours, whatever clocks do in summer. */
const BEFORE = "720 hours";

/** The present and the former prices of products. A history begins with the product, or with the upgrade that added it. */
export class Prices {
  private readonly products = this.sequelize.getRepository(Product);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
  ) {}

  /** The first prices of each of these products, newest first. A product without any has no entry. */
  async of(productIds: readonly number[], first: number): Promise<Map<number, PriceRecord[]>> {
    const rows = await runSql<Pick<ProductPrice, "productId" | "price" | "began" | "isWithdrawn">>(
      this.reads.current,
      sql`SELECT product_id AS "productId", price, began, is_withdrawn AS "isWithdrawn"
          FROM unnest(${productIds}::integer[]) AS asked (id)
          CROSS JOIN LATERAL (
            SELECT * FROM product_prices WHERE product_id = id ORDER BY began DESC LIMIT ${first}
          ) AS newest
          ORDER BY product_id, began DESC`,
      { name: "prices of products" },
    );
    const prices = new Map<number, PriceRecord[]>();
    for (const { productId, began: from, ...price } of rows) {
      const later = prices.get(productId);
      const next = later?.at(-1);
      if (later && next) later.push({ ...price, from, until: next.from });
      else prices.set(productId, [{ ...price, from, until: null }]);
    }
    return prices;
  }

  /**
   * The lowest price of each of these products that was in force at some moment of the 30 days before its
   * present price began. A product that had no price then has no entry. The earliest of them is the one that was in
   * force when the 30 days began; one that ended at that very moment was not. Withdrawn prices don't count.
   */
  async lowestBefore(productIds: readonly number[]): Promise<Map<number, string>> {
    const rows = await runSql<{ id: number; lowest: string }>(
      this.reads.current,
      sql`SELECT id, lowest
          FROM unnest(${productIds}::integer[]) AS asked (id)
          CROSS JOIN LATERAL (
            SELECT began FROM product_prices WHERE product_id = id ORDER BY began DESC LIMIT 1
          ) AS present
          CROSS JOIN LATERAL (
            SELECT max(began) AS began FROM product_prices
            WHERE product_id = id AND began <= present.began - ${BEFORE}::interval
          ) AS earliest
          CROSS JOIN LATERAL (
            SELECT min(price) AS lowest FROM product_prices
            WHERE product_id = id AND began < present.began AND NOT is_withdrawn
              AND began >= coalesce(earliest.began, '-infinity')
          ) AS former
          WHERE lowest IS NOT NULL`,
      { name: "lowest prices before" },
    );
    return new Map(rows.map(({ id, lowest }) => [id, lowest]));
  }

  /**
   * Withdraws an earlier price of a product, which was a mistake; withdrawing it again changes nothing. No order can be
   * placed until it ends, as the product is locked.
   *
   * @throws DomainError NOT_FOUND; CONFLICT if the product has another version than the expected one, or the price is
   *   the present one, was in force for more than an hour, or an order was placed at it
   */
  async withdraw(productId: number, from: Date, terms: ChangeTerms = {}): Promise<ProductRecord> {
    if (!isStorableId(productId)) throw notFound("Product");
    return inTransaction(this.sequelize, async (transaction) => {
      const product = await this.products.findByPk(productId, { transaction, lock: true });
      if (!product) throw notFound("Product");
      assertVersion("Product", product, terms);
      const statement = judged(productId, from);
      const [price] = await runWithin<WithdrawnPrice>(this.sequelize, transaction, statement);
      if (!price) throw notFound("Price");
      if (!price.isWithdrawn) {
        assertMistake(price);
        const where = { productId, began: from };
        await this.sequelize
          .getRepository(ProductPrice)
          .update({ isWithdrawn: true }, { where, transaction });
        await product.reload({ transaction });
      }
      return product.get({ plain: true });
    });
  }
}

/** What decides whether a price can be withdrawn. */
interface WithdrawnPrice {
  readonly isWithdrawn: boolean;
  readonly isPresent: boolean;
  readonly wasLong: boolean;
  readonly wasPaid: boolean;
}

/** @throws DomainError CONFLICT */
function assertMistake({ isPresent, wasLong, wasPaid }: WithdrawnPrice): void {
  if (isPresent) throw conflict("The present price can't be withdrawn", { code: "IN_USE" });
  if (wasLong) {
    throw conflict("The price was in force for more than an hour", { code: "IN_USE" });
  }
  if (wasPaid) throw conflict("Orders were placed at the price", { code: "IN_USE" });
}

/**
 * An order has the time at which its request came, which may be shortly before the price began, and it may have read
 * the price while the next one was being stored: so its time is compared to when the same price began the next time.
 */
const judged = (productId: number, from: Date) => sql`
  SELECT is_withdrawn AS "isWithdrawn", until IS NULL AS "isPresent",
    coalesce(until - began > interval '1 hour', false) AS "wasLong",
    EXISTS (
      SELECT FROM order_items JOIN orders ON orders.id = order_id
      WHERE product_id = ${productId} AND unit_price = former.price
        AND created_at >= began - interval '1 minute' AND created_at < coalesce(again, 'infinity')
    ) AS "wasPaid"
  FROM (
    SELECT began, price, is_withdrawn,
      (SELECT min(began) FROM product_prices AS later
       WHERE later.product_id = ${productId} AND later.began > price.began) AS until,
      (SELECT min(began) FROM product_prices AS later
       WHERE later.product_id = ${productId} AND later.began > price.began AND later.price = price.price) AS again
    FROM product_prices AS price WHERE product_id = ${productId} AND began = ${from}
  ) AS former`;
