import type { presentPage, presentPlacedOrder } from "../rest/presenters";
import { MAX_PAGE_SIZE } from "../lists/pagination";
import * as examples from "./examples";
import * as records from "./records";
import { list, object, type Schema } from "./schema";

/** A reference to a schema of the document. */
const named = <T>(name: string, _schema: Schema<T>): Schema<T> => ({
  $ref: `#/components/schemas/${name}`,
});

const Category = named("Category", records.category);
const Product = named("Product", records.product);
const Order = named("Order", records.order);
const OrderItem = named("OrderItem", records.orderItem);

type PageOf<T> = ReturnType<typeof presentPage<unknown, T>>;

const pageOf = <T>(entry: Schema<T>) =>
  object<PageOf<T>>({
    data: list(entry, { maxItems: MAX_PAGE_SIZE }),
    meta: named("PageMeta", records.pageMeta),
  });

/** The shapes of REST's answers, each with an example. */
export const shapes = {
  AccessToken: [records.accessToken, examples.accessToken],
  Category: [records.category, examples.category],
  Categories: [list(Category), [examples.category]],
  Product: [records.product, examples.product],
  Products: [list(Product), [examples.product]],
  ProductPage: [pageOf(Product), examples.pageOf(examples.product)],
  PageMeta: [records.pageMeta, examples.pageOf({}).meta],
  Order: [records.order, examples.order],
  OrderItem: [records.orderItem, examples.orderItem],
  PlacedOrder: [
    object<ReturnType<typeof presentPlacedOrder>>({
      ...records.orderProperties,
      items: list(OrderItem, { minItems: 1 }),
    }),
    examples.placedOrder,
  ],
  OrderPage: [pageOf(Order), examples.pageOf(examples.order)],
} as const;

/** The name of a shape of REST's answers. */
export type ShapeName = keyof typeof shapes;
