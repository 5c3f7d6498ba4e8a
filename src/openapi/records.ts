import type {
  presentAccessToken,
  presentCategory,
  presentOrder,
  presentPage,
  presentPlacedOrder,
  presentProduct,
} from "../rest/presenters";
import { MAX_INTEGER } from "../vocabulary/ids";
import { MAX_LENGTH, SLUG_SCHEMA } from "../services/input/fields";
import { MAX_PAGE_SIZE } from "../lists/pagination";
import { OrderStatus } from "../services/orders/inputs/order-filter";
import { decimal, flag, integer, object, oneOf, text, timestamp } from "./schema";

const id = (description: string) => integer(description, 1);
const slug = text("Unique among things of its kind.", SLUG_SCHEMA);
const name = text("The name to show.", { minLength: 1, maxLength: MAX_LENGTH.name });

export const accessToken = object<ReturnType<typeof presentAccessToken>>({
  access_token: text("A JWT, to be sent as `Authorization: Bearer <token>`."),
});

export const category = object<ReturnType<typeof presentCategory>>({
  id: id("The category's id."),
  name,
  slug,
  isActive: flag("Whether it is offered. It never affects its products."),
  createdAt: timestamp("When it was created."),
});

export const product = object<ReturnType<typeof presentProduct>>({
  id: id("The product's id."),
  name,
  slug,
  description: text("May be empty.", { maxLength: MAX_LENGTH.description }),
  price: decimal("The price of one."),
  isActive: flag("Whether it can be ordered."),
  categoryId: id("The category that it belongs to."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it last changed."),
});

/** The properties of an order, with or without its items. */
export const orderProperties = {
  id: id("The order's id."),
  customerEmail: text("The customer's address, as it was given."),
  totalAmount: decimal("The sum of all items."),
  status: oneOf("Placed, paid or cancelled.", Object.values(OrderStatus)),
  createdAt: timestamp("When it was placed."),
};

export const order = object<ReturnType<typeof presentOrder>>(orderProperties);

export const orderItem = object<ReturnType<typeof presentPlacedOrder>["items"][number]>({
  id: id("The item's id."),
  orderId: id("The order that it belongs to."),
  productId: id("The product."),
  quantity: { ...integer("How many.", 1), maximum: MAX_INTEGER },
  unitPrice: decimal("The product's price when the order was placed."),
});

export const pageMeta = object<ReturnType<typeof presentPage>["meta"]>({
  total: integer("How many records match.", 0),
  page: integer("The page, counted from 1.", 1),
  pageSize: { ...integer("The page size that was asked for.", 1), maximum: MAX_PAGE_SIZE },
  totalPages: integer("The total divided by the page size, rounded up.", 0),
});
