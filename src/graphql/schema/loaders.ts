import DataLoader from "dataloader";
import { notFound } from "../../vocabulary/errors";
import type { Services } from "../../services";
import type { CategoryRecord } from "../../services/catalogue/categories";
import type { OrderItemRecord } from "../../services/orders/order-records";
import type { Page, PageRequest } from "../../lists/pagination";
import type { ProductQuery } from "../../services/catalogue/product-query";
import type { ProductRecord } from "../../services/catalogue/products";
import type { PriceRecord } from "../../services/catalogue/prices";
import type { Read } from "../context";

/** The most products that one statement reads: their bytes are counted only once all are in memory. */
const MOST_PRODUCTS = 500;

/** Loaders of one request. Each collects the ids that many rows ask for, and reads them in one statement. */
export interface Loaders {
  readonly category: DataLoader<number, CategoryRecord>;
  readonly product: DataLoader<number, ProductRecord>;
  readonly itemsOfOrder: DataLoader<number, OrderItemRecord[]>;
  readonly lowestPriceBefore: DataLoader<number, string | null>;
  /** Loads the first prices of products, by the products' ids. */
  pricesOfProduct(first: number): DataLoader<number, PriceRecord[]>;
  /** Loads the same page of the products of several categories, by the categories' ids. */
  pageOfCategory(
    request: PageRequest,
    query: ProductQuery,
  ): DataLoader<number, Page<ProductRecord>>;
  /** Forgets what they have read. To be called before each change. */
  forget(): void;
}

/** Creates the loaders of one request. They remember what they read, so they must not outlive it. */
export function createLoaders(
  { categories, products, prices, orders }: Services,
  read: Read,
): Loaders {
  const pricesOf = new Map<number, DataLoader<number, PriceRecord[]>>();
  const pages = new Map<string, DataLoader<number, Page<ProductRecord>>>();
  const byId = {
    category: new DataLoader<number, CategoryRecord>(async (ids) =>
      inOrderOf(ids, await read(() => categories.byIds(ids)), "Category"),
    ),
    product: new DataLoader<number, ProductRecord>(
      async (ids) => inOrderOf(ids, await read(() => products.byIds(ids)), "Product"),
      { maxBatchSize: MOST_PRODUCTS },
    ),
    itemsOfOrder: new DataLoader<number, OrderItemRecord[]>(async (ids) => {
      const items = new Map<number, OrderItemRecord[]>(ids.map((id) => [id, []]));
      const found = await read(() => orders.itemsOf(ids));
      for (const item of found) items.get(item.orderId)?.push(item);
      return ids.map((id) => items.get(id) ?? []);
    }),
    lowestPriceBefore: new DataLoader<number, string | null>(
      async (ids) => {
        const lowest = await read(() => prices.lowestBefore(ids));
        return ids.map((id) => lowest.get(id) ?? null);
      },
      { maxBatchSize: MOST_PRODUCTS },
    ),
  };
  return {
    ...byId,
    pricesOfProduct: (first) => {
      const loader =
        pricesOf.get(first) ??
        new DataLoader<number, PriceRecord[]>(
          async (ids) => {
            const found = await read(() => prices.of(ids, first));
            return ids.map((id) => found.get(id) ?? []);
          },
          { maxBatchSize: MOST_PRODUCTS },
        );
      pricesOf.set(first, loader);
      return loader;
    },
    pageOfCategory: (request, query) => {
      const { filter, sort, counted, withDescriptions } = query;
      const key = JSON.stringify([request, filter, sort, counted, withDescriptions]);
      const loader =
        pages.get(key) ??
        new DataLoader<number, Page<ProductRecord>>(
          (ids) =>
            read(async () => {
              const found = await products.pagesByCategory(ids, request, query);
              return ids.map((id) => found.get(id) ?? notFound("Category"));
            }),
          { maxBatchSize: Math.floor(MOST_PRODUCTS / request.pageSize) },
        );
      pages.set(key, loader);
      return loader;
    },
    forget: () => {
      for (const loader of Object.values(byId)) loader.clearAll();
      pricesOf.clear();
      pages.clear();
    },
  };
}

/**
 * The rows in the order of `ids`. A row that was deleted between two statements of a request is a NOT_FOUND error.
 */
function inOrderOf<T extends { id: number }>(
  ids: readonly number[],
  rows: T[],
  noun: string,
): (T | Error)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? notFound(noun));
}
