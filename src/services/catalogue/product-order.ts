import sql, { type Sql } from "sql-template-tag";
import { invalidInput } from "../../vocabulary/errors";
import { Money } from "../../vocabulary/money";
import { codePoints, isStorable } from "../../vocabulary/text/unicode";
import { MAX_LENGTH } from "../input/fields";
import { byTime, keysetOrder, newest, type KeysetOrder, type SortKey } from "../../lists/keyset";
import { ProductSortField, SortDirection } from "./inputs/product-inputs";
import { wordsOf, type ProductSearch } from "./product-query";

/** What products can be sorted by. */
interface Sorted {
  readonly createdAt: Date;
  readonly name: string;
  readonly price: string;
}

const isName = (text: string): boolean => isStorable(text) && codePoints(text) <= MAX_LENGTH.name;

/** The name, folded by its column's collation. The database's own collation may fold other letters. */
const byName: SortKey<Sorted> = {
  by: [sql`lower(name)`],
  textOf: ({ name }) => name,
  valuesIn: (text) => (isName(text) ? [sql`lower(${text}::text COLLATE "C")`] : undefined),
};

const byPrice: SortKey<Sorted> = {
  by: [sql`price`],
  textOf: ({ price }) => price,
  valuesIn: (text) => {
    const price = Money.parse(text);
    return price && [sql`${price.toString()}::numeric`];
  },
};

/**
 * How well a name fits the words of a search, then the time. A cursor has the time and the name instead of the
 * rank, which only the database can compute.
 */
const byRelevance = (search: string): SortKey<Sorted> => ({
  by: [rankOf(SEARCHED_NAME, search), ...byTime.by],
  textOf: (product) => `${byTime.textOf(product)} ${product.name}`,
  valuesIn: (text) => {
    const end = text.indexOf(" ");
    const [time, name] = [byTime.valuesIn(text.slice(0, Math.max(end, 0))), text.slice(end + 1)];
    return time && isName(name) ? [rankOf(sql`searchable(${name})`, search), ...time] : undefined;
  },
});

/** The name as it is searched. For ASCII names, and most are, `lower` is enough and takes a tenth of the time. */
const SEARCHED_NAME = sql`CASE WHEN octet_length(name) = char_length(name) THEN lower(name) ELSE searchable(name) END`;

/** 2 for a name that has all of the words and begins with one of them, 1 if it has all of them, or else 0. */
function rankOf(name: Sql, search: string): Sql {
  const words = sql`unnest(${wordsOf(search)}::text[]) AS word`;
  // Without its leading %, the pattern only matches at the beginning.
  return sql`CASE WHEN ${name} LIKE ALL (ARRAY(SELECT containing(word) FROM ${words}))
    THEN CASE WHEN ${name} LIKE ANY (ARRAY(SELECT substr(containing(word), 2) FROM ${words})) THEN 2 ELSE 1 END
    ELSE 0 END`;
}

/** The order of a list of products, which has a name. */
interface ProductOrder extends KeysetOrder<Sorted> {
  readonly name: string;
}

/**
 * The order of a list of products: newest first unless sorted otherwise.
 *
 * @throws DomainError INVALID_INPUT if products are sorted by relevance without a search
 */
export function productOrder({ filter, sort }: ProductSearch): ProductOrder {
  const { field = ProductSortField.CREATED_AT, direction = SortDirection.DESC } = sort ?? {};
  if (field !== ProductSortField.RELEVANCE) return orders[field][direction];
  return ordered(field, direction, relevanceTo(filter?.search));
}

function ordered(
  field: ProductSortField,
  direction: SortDirection,
  key: SortKey<Sorted>,
): ProductOrder {
  const isNewest = field === ProductSortField.CREATED_AT && direction === SortDirection.DESC;
  const name = `${field} ${direction}`;
  const prefix = isNewest ? newest.prefix : `${name} `;
  return { name, ...keysetOrder({ prefix, key, direction }) };
}

const bothWays = (field: ProductSortField, key: SortKey<Sorted>) => ({
  [SortDirection.ASC]: ordered(field, SortDirection.ASC, key),
  [SortDirection.DESC]: ordered(field, SortDirection.DESC, key),
});

/** The orders that are the same for every list. */
const orders = {
  [ProductSortField.CREATED_AT]: bothWays(ProductSortField.CREATED_AT, byTime),
  [ProductSortField.NAME]: bothWays(ProductSortField.NAME, byName),
  [ProductSortField.PRICE]: bothWays(ProductSortField.PRICE, byPrice),
};

function relevanceTo(search: string | null | undefined): SortKey<Sorted> {
  if (search === undefined || search === null) {
    const message = "sort by RELEVANCE needs filter.search";
    throw invalidInput([{ message, reason: { code: "REQUIRED", path: "search" } }]);
  }
  return byRelevance(search);
}
