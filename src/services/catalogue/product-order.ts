import sql from "sql-template-tag";
import { Money } from "../../vocabulary/money";
import { codePoints, isStorable } from "../../vocabulary/text/unicode";
import { MAX_LENGTH } from "../input/fields";
import { byTime, newest, type KeysetOrder, type SortKey } from "../../lists/keyset-order";
import { ProductSortField, SortDirection, type ProductSort } from "./inputs/product-sort";

/** What products can be sorted by. */
interface Sorted {
  readonly createdAt: Date;
  readonly name: string;
  readonly price: string;
}

/** The name in the order of its column, whose collation folds other letters than the database's own may. */
const byName: SortKey<Sorted> = {
  by: sql`lower(name)`,
  textOf: ({ name }) => name,
  valueIn: (text) =>
    isStorable(text) && codePoints(text) <= MAX_LENGTH.name
      ? sql`lower(${text}::text COLLATE "C")`
      : undefined,
};

const byPrice: SortKey<Sorted> = {
  by: sql`price`,
  textOf: ({ price }) => price,
  valueIn: (text) => {
    const price = Money.parse(text);
    return price && sql`${price.toString()}::numeric`;
  },
};

const keys: Record<ProductSortField, SortKey<Sorted>> = {
  [ProductSortField.CREATED_AT]: byTime,
  [ProductSortField.NAME]: byName,
  [ProductSortField.PRICE]: byPrice,
};

/** The order of a list of products, which has a name. */
interface ProductOrder extends KeysetOrder<Sorted> {
  readonly name: string;
}

/** The order of a list of products: newest first unless sorted otherwise. */
export function productOrder(sort: Partial<ProductSort> | null | undefined): ProductOrder {
  const { field = ProductSortField.CREATED_AT, direction = SortDirection.DESC } = sort ?? {};
  const key = keys[field];
  const isNewest = field === ProductSortField.CREATED_AT && direction === SortDirection.DESC;
  const name = `${field} ${direction}`;
  return { name, prefix: isNewest ? newest.prefix : `${name} `, key, direction };
}
