import sql from "sql-template-tag";
import type { ReadPool } from "../../database/connection/read-pool";
import { runSql } from "../../database/statements/sql";
import type { ProductPrice } from "../../models";

/** A price that is or was in force; its amount is decimal text with 2 places. */
export interface PriceRecord {
  readonly price: string;
  readonly from: Date;
  /** When the next one began; null for the present one. */
  readonly until: Date | null;
}

/** 30 times 24 hours, whatever clocks do in summer. */
const BEFORE = "720 hours";

/** The present and the former prices of products. A history begins with the product, or with the upgrade that keeps it. */
export class Prices {
  constructor(private readonly reads: ReadPool) {}

  /** The first prices of each of these products, newest first. A product without any has no entry. */
  async of(productIds: readonly number[], first: number): Promise<Map<number, PriceRecord[]>> {
    const rows = await runSql<Pick<ProductPrice, "productId" | "price" | "began">>(
      this.reads,
      sql`SELECT product_id AS "productId", price, began
          FROM unnest(${productIds}::integer[]) AS asked (id)
          CROSS JOIN LATERAL (
            SELECT * FROM product_prices WHERE product_id = id ORDER BY began DESC LIMIT ${first}
          ) AS newest
          ORDER BY product_id, began DESC`,
      { name: "prices of products" },
    );
    const prices = new Map<number, PriceRecord[]>();
    for (const { productId, price, began } of rows) {
      const later = prices.get(productId);
      const next = later?.at(-1);
      if (later && next) later.push({ price, from: began, until: next.from });
      else prices.set(productId, [{ price, from: began, until: null }]);
    }
    return prices;
  }

  /**
   * The lowest price of each of these products that was in force at some moment of the 30 days before its
   * present price began. A product that had no price then has no entry. The earliest of them is the one that was in
   * force when the 30 days began; one that ended at that very moment was not.
   */
  async lowestBefore(productIds: readonly number[]): Promise<Map<number, string>> {
    const rows = await runSql<{ id: number; lowest: string }>(
      this.reads,
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
            WHERE product_id = id AND began < present.began
              AND began >= coalesce(earliest.began, '-infinity')
          ) AS former
          WHERE lowest IS NOT NULL`,
      { name: "lowest prices before" },
    );
    return new Map(rows.map(({ id, lowest }) => [id, lowest]));
  }
}
