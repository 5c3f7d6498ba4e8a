import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, print, visit } from "graphql";
import { askScript } from "./ask-script";

const root = path.resolve(__dirname, "../..");
const released = readFileSync(path.join(root, "contracts/0.1.0/schema.graphql"), "utf8");
/** The released schema without descriptions, so that each member of a definition is on one line. */
const compact = print(
  visit(parse(released), { enter: (node) => ({ ...node, description: undefined }) }),
);

/** A text in the definition of a type, and its replacement. */
type Edit = readonly [definition: string, find: string, replacement: string];
type Planted = readonly (readonly [rule: string, where: string, ...edits: Edit[]])[];

const breaks: Planted = [
  ["FIELD_REMOVED", "Category.slug", ["type Category", "  slug: String!\n", ""]],
  ["FIELD_REMOVED", "Query.order", ["type Query", "  order(id: Int!): Order\n", ""]],
  ["FIELD_TYPE_CHANGED", "Product.price", ["type Product", "price: Decimal!", "price: Decimal"]],
  ["FIELD_TYPE_CHANGED", "Order.id", ["type Order", "  id: Int!", "  id: String!"]],
  [
    "TYPE_REMOVED",
    "AccessToken",
    ["type AccessToken", "type AccessToken", "type Token"],
    ["type Mutation", "AccessToken!", "Token!"],
  ],
  [
    "TYPE_KIND_CHANGED",
    "DateTime",
    ["scalar DateTime", "scalar DateTime", "enum DateTime { NOW }"],
  ],
  ["ENUM_VALUE_REMOVED", "OrderStatus.PAID", ["enum OrderStatus", "  PAID\n", ""]],
  ["FIELD_ARGUMENT_REMOVED", "Query.product.id", ["type Query", "product(id: Int, ", "product("]],
  ["FIELD_ARGUMENT_ADDED", "Query.order.shop", ["type Query", "order(", "order(shop: Int!, "]],
  [
    "FIELD_ARGUMENT_TYPE_CHANGED",
    "Query.categories.filter",
    ["type Query", "filter: CategoryFilter)", "filter: CategoryFilter!)"],
  ],
  [
    "FIELD_ARGUMENT_DEFAULT_CHANGED",
    "Query.newsletterSubscribers.page",
    ["type Query", "newsletterSubscribers(page: Int! = 1", "newsletterSubscribers(page: Int!"],
  ],
  ["INPUT_FIELD_REMOVED", "ProductFilter.ids", ["input ProductFilter", "  ids: [Int!]\n", ""]],
  ["INPUT_FIELD_ADDED", "LoginInput.shop", ["input LoginInput", "{", "{ shop: String!"]],
  [
    "INPUT_FIELD_TYPE_CHANGED",
    "CreateCategoryInput.slug",
    ["input CreateCategoryInput", "slug: String", "slug: String!"],
  ],
  [
    "INPUT_FIELD_DEFAULT_VALUE_CHANGED",
    "ProductSort.field",
    ["input ProductSort", " = CREATED_AT", ""],
  ],
];

const dangers: Planted = [
  ["ENUM_VALUE_ADDED", "ProductSortField.STOCK", ["enum ProductSortField", "{", "{ STOCK "]],
  ["FIELD_ARGUMENT_ADDED", "Query.order.shop", ["type Query", "order(", "order(shop: Int, "]],
  [
    "FIELD_ARGUMENT_DEFAULT_CHANGED",
    "Query.newsletterSubscribers.page",
    ["type Query", "newsletterSubscribers(page: Int! = 1", "newsletterSubscribers(page: Int! = 2"],
  ],
  ["INPUT_FIELD_ADDED", "OrderFilter.shop", ["input OrderFilter", "{", "{ shop: Int! = 1 "]],
  [
    "INPUT_FIELD_DEFAULT_VALUE_CHANGED",
    "ProductSort.field",
    ["input ProductSort", "CREATED_AT", "NAME"],
  ],
];

const compatible: readonly Edit[] = [
  ["type Query", "{", "{ teas(page: Int!): [Tea!]! "],
  ["type Category", "slug: String!", 'slug: String! @deprecated(reason: "Use name.")'],
  ["type Category", "{", '{ "A picture." picture: String '],
  ["type PageInfo", "startCursor: String", "startCursor: String!"],
  ["input LoginInput", "password: String!", "password: String"],
  ["input OrderFilter", "{", "{ shop: Int "],
];

function edited(...edits: readonly Edit[]): string {
  let definitions = compact.trim().split("\n\n");
  for (const [definition, find, replacement] of edits) {
    const [one, ...others] = definitions.filter((each) => each.split(/ \{|$/)[0] === definition);
    const parts = one?.split(find) ?? [];
    if (others.length > 0 || parts.length !== 2) throw new Error(`${definition}: not one ${find}`);
    definitions = definitions.map((each) => (each === one ? parts.join(replacement) : each));
  }
  return definitions.join("\n\n");
}

interface Finding {
  readonly rule: string;
  readonly where: string;
}
interface Changes {
  readonly breaks: readonly Finding[];
  readonly dangers: readonly Finding[];
}

const changes = (...now: readonly string[]): Changes[] =>
  askScript(
    "breaking/graphql.mjs",
    "graphqlChanges",
    now.map((each) => [released, each]),
  ) as Changes[];

test("each planted break is found, where it is", () => {
  const found = changes(...breaks.map(([, , ...edits]) => edited(...edits)));
  const told = found.map((each) => each.breaks.map(({ rule, where }) => [rule, where]));
  // If a type is gone, the fields that had it change as well.
  expect(told).toEqual(breaks.map(([rule, where]) => expect.arrayContaining([[rule, where]])));
});

test("each planted danger is found, and is no break", () => {
  const found = changes(...dangers.map(([, , ...edits]) => edited(...edits)));
  const told = found.map((each) => each.dangers.map(({ rule, where }) => [rule, where]));
  expect(told).toEqual(dangers.map(([rule, where]) => [[rule, where]]));
  expect(found.flatMap((each) => each.breaks)).toEqual([]);
});

test("what is new, deprecated or promised besides is accepted, and so are other descriptions", () => {
  const found = changes(
    compact,
    ...compatible.map((edit) => `${edited(edit)}\ntype Tea { name: String! }`),
  );
  expect(found).toEqual(found.map(() => ({ breaks: [], dangers: [] })));
});
