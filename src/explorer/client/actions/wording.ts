import type { Entities, TypeName, Values } from "../operations/row-operation";
import type { Item } from "./run-each";

interface Words {
  readonly plural: string;
  /** A short name of an object. */
  short(values: Values): string;
  /** A name of an object that can't be confused with another one. */
  full(values: Values): string;
}

/** The fields of an object that a row shows, which may be only some. */
type Some<T extends TypeName> = Partial<Entities[T]>;

const named = (noun: string, plural: string): Words => ({
  plural,
  short: ({ id, name }: Some<"Product" | "Category">) =>
    name === undefined ? `${noun} ${String(id)}` : `“${name}”`,
  full: ({ id, name }: Some<"Product" | "Category">) =>
    name === undefined ? `${noun} ${String(id)}` : `“${name}” (${noun} ${String(id)})`,
});

const words: Record<TypeName, Words> = {
  Order: {
    plural: "orders",
    short: ({ id }: Some<"Order">) => `order ${String(id)}`,
    full: ({ id, customerEmail, totalAmount }: Some<"Order">) =>
      [
        `order ${String(id)}`,
        customerEmail === undefined ? "" : ` of ${customerEmail}`,
        totalAmount === undefined ? "" : ` (${totalAmount})`,
      ].join(""),
  },
  Product: named("product", "products"),
  Category: named("category", "categories"),
  NewsletterSubscriber: {
    plural: "subscribers",
    short: ({ email }: Some<"NewsletterSubscriber">) => String(email),
    full: ({ email }: Some<"NewsletterSubscriber">) => String(email),
  },
  WebhookEndpoint: {
    plural: "endpoints",
    short: ({ id }: Some<"WebhookEndpoint">) => `endpoint ${String(id)}`,
    full: ({ id, url }: Some<"WebhookEndpoint">) =>
      url === undefined ? `endpoint ${String(id)}` : `endpoint ${String(id)} (${url})`,
  },
  Delivery: {
    plural: "events",
    short: ({ id }: Some<"Delivery">) => `event ${String(id)}`,
    full: ({ id }: Some<"Delivery">) => `event ${String(id)}`,
  },
};

/** The message about an object that no longer exists. */
export const GONE = "It is not there any more";

/** Names an object in full, such as "order 12 of anna@example.com (23.50)". */
export const fullName = (type: TypeName, values: Values): string => words[type].full(values);

/** A name for these objects: the short name of a single one, otherwise their number. */
export function nameOfAll(type: TypeName, all: readonly Values[]): string {
  const [first] = all;
  if (first && all.length === 1) return words[type].short(first);
  return `${all.length} ${words[type].plural}`;
}

/** "Order 12 is paid", "Order 12 is not paid", "4 orders are paid", "3 of 4 orders are paid". */
export function outcome(
  type: TypeName,
  tried: readonly Pick<Item, "values" | "state">[],
  what: string,
): string {
  const name = nameOfAll(
    type,
    tried.map(({ values }) => values),
  );
  const done = tried.filter(({ state }) => state === "done");
  if (tried.length === 1)
    return `${capitalised(name)} is ${done.length === 1 ? "" : "not "}${what}`;
  return `${done.length === tried.length ? "" : `${done.length} of `}${name} are ${what}`;
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The sum of the totals of orders; undefined if the total of one is not shown. */
export function totalOf(orders: readonly Values[]): string | undefined {
  const cents = orders.map(({ totalAmount }) => Math.round(Number(totalAmount) * 100));
  const sum = cents.reduce((total, each) => total + each, 0);
  return Number.isSafeInteger(sum) ? (sum / 100).toFixed(2) : undefined;
}
