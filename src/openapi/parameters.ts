import type { InputClass, JsonSchema } from "../services/input/rules";
import { DEFAULT_PAGE, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../lists/pagination";
import { OrderFilter } from "../services/orders/inputs/order-filter";
import { OrderTerms } from "../services/orders/inputs/place-order-input";
import { category, order, product } from "./examples";
import { TAG_EXAMPLE } from "./headers";
import { fieldSchema, type DescriptionOf } from "./input-schema";

/** A parameter of the query or a header of the request. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly example: unknown;
  /** The accepted values: a schema, or a field of an input class. */
  readonly schema: JsonSchema | readonly [Input: InputClass, field: string];
}

export const PAGE: readonly Parameter[] = [
  {
    name: "page",
    in: "query",
    description: "The page, counted from 1. A page beyond the end is empty.",
    example: DEFAULT_PAGE,
    schema: {
      type: "integer",
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: DEFAULT_PAGE,
    },
  },
  {
    name: "pageSize",
    in: "query",
    description: "The most records of the page.",
    example: DEFAULT_PAGE_SIZE,
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE },
  },
];

export const ORDER_FILTER: readonly Parameter[] = [
  {
    name: "status",
    in: "query",
    description: "Orders in this state.",
    example: order.status,
    schema: [OrderFilter, "status"],
  },
  {
    name: "customerEmail",
    in: "query",
    description: "The customer's whole address; letter case is ignored.",
    example: order.customerEmail,
    schema: [OrderFilter, "customerEmail"],
  },
];

export const ORDER_TERMS: readonly Parameter[] = [
  {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A key of the client's own, bare or as a quoted string. The same order sent again under it is placed " +
      "once, and answered as the first time.",
    example: "0c5be1a4-cart-17",
    schema: [OrderTerms, "idempotencyKey"],
  },
  {
    name: "Expected-Total",
    in: "header",
    description: "The total that the customer agreed to. An order of any other total is refused.",
    example: order.totalAmount,
    schema: [OrderTerms, "expectedTotal"],
  },
];

export const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "Tags of answers that the client has, or `*`.",
  example: TAG_EXAMPLE,
  schema: { type: "string" },
};

/** A parameter as the document has it. */
export const describeParameter = (
  { schema, ...parameter }: Parameter,
  descriptionOf: DescriptionOf,
): object => ({
  ...parameter,
  schema: isField(schema) ? fieldSchema(...schema, descriptionOf) : schema,
});

const isField = (schema: Parameter["schema"]): schema is readonly [InputClass, string] =>
  Array.isArray(schema);

/** Examples of ids, by the part of a path that comes before them. */
const ids: Readonly<Record<string, number>> = {
  categories: category.id,
  category: category.id,
  products: product.id,
};

/** The parameters of a path in Express's form. All are ids. */
export const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\/([a-z]+)\/:([a-zA-Z]+)/g)].map(([, before = "", name]) => ({
    name,
    in: "path",
    required: true,
    description: "An id, in base-10 digits.",
    example: ids[before],
    schema: { type: "integer", minimum: 1 },
  }));
