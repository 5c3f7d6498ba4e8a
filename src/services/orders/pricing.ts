import type { Transaction } from "sequelize";
import type { Repository } from "sequelize-typescript";
import { invalidInput } from "../../vocabulary/errors";
import type { Product } from "../../models";
import { Money } from "../../vocabulary/money";
import { isStorableId } from "../../vocabulary/ids";
import { Faults } from "../input/rules";
import type { OrderItemInput } from "./inputs/place-order-input";

export interface PricedItem extends Readonly<OrderItemInput> {
  readonly unitPrice: Money;
  readonly productName: string;
  readonly productSlug: string;
}

/**
 * The items of an order at the current prices and under the current names of their products, read in one statement.
 * It takes no locks: a steady stream of orders would otherwise hold shared locks all the time, and an update of a
 * product that sells well would never get its turn. The foreign key of the stored items prevents a deletion.
 *
 * @throws DomainError INVALID_INPUT naming every product that is unknown or inactive
 */
export async function atCurrentPrices(
  items: readonly OrderItemInput[],
  products: Repository<Product>,
  transaction: Transaction,
): Promise<PricedItem[]> {
  const rows = await products.findAll({
    attributes: ["id", "price", "name", "slug"],
    where: { id: items.map((item) => item.productId).filter(isStorableId), isActive: true },
    transaction,
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  const faults = new Faults();
  const priced = items.flatMap(({ productId, quantity }, index) => {
    const product = found.get(productId);
    if (product) {
      const { price, name: productName, slug: productSlug } = product;
      return [{ productId, quantity, unitPrice: Money.of(price), productName, productSlug }];
    }
    faults.add(`items.${index}.productId`, {
      message: `${productId} does not reference an active product`,
      reason: { code: "PRODUCT_UNAVAILABLE", productId },
    });
    return [];
  });
  if (faults.all.length > 0) throw invalidInput(faults.all);
  return priced;
}

/**
 * The sum of unit price times quantity over the items (contract 3.2). It may exceed {@link Money.MAX}. The statement
 * of `place-at-once.ts` computes the same.
 */
export const totalOf = (items: readonly PricedItem[]): Money =>
  items
    .map(({ unitPrice, quantity }) => unitPrice.times(quantity))
    .reduce((sum, amount) => sum.plus(amount), Money.ZERO);
