import type { Transaction } from "sequelize";
import type { Repository } from "sequelize-typescript";
import { invalidInput } from "../../errors";
import type { Product } from "../../models";
import { Money } from "../../money";
import { isStorableId } from "../input/ids";
import type { OrderItemInput } from "./inputs/place-order-input";

/** An item of an order, and the price that one of it has. */
export interface PricedItem extends Readonly<OrderItemInput> {
  readonly unitPrice: Money;
}

/**
 * The items of an order at the current prices of their products, all of one moment. Read without a lock:
 * locks of orders overtake a change that waits for them, so that a product that sells could not be changed.
 * Only the foreign key of stored items holds the products, and keeps them from being deleted.
 *
 * @throws DomainError INVALID_INPUT naming every product that is unknown or inactive
 */
export async function atCurrentPrices(
  items: readonly OrderItemInput[],
  products: Repository<Product>,
  transaction: Transaction,
): Promise<PricedItem[]> {
  const rows = await products.findAll({
    attributes: ["id", "price"],
    where: { id: items.map((item) => item.productId).filter(isStorableId), isActive: true },
    transaction,
  });
  const prices = new Map(rows.map(({ id, price }) => [id, Money.of(price)]));
  const faults: string[] = [];
  const priced = items.flatMap(({ productId, quantity }, index) => {
    const unitPrice = prices.get(productId);
    if (unitPrice) return [{ productId, quantity, unitPrice }];
    faults.push(`items.${index}.productId ${productId} does not reference an active product`);
    return [];
  });
  if (faults.length > 0) throw invalidInput(faults);
  return priced;
}

/** The sum over items of unit price times quantity (contract 3.2); may exceed what can be stored. */
export const totalOf = (items: readonly PricedItem[]): Money =>
  items
    .map(({ unitPrice, quantity }) => unitPrice.times(quantity))
    .reduce((sum, amount) => sum.plus(amount), Money.ZERO);
