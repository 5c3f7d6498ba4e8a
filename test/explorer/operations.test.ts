import {
  buildSchema,
  Kind,
  OperationTypeNode,
  parse,
  validate,
  type OperationDefinitionNode,
} from "graphql";
import { readFileSync } from "node:fs";
import { asksBeforeRunning } from "../../src/explorer/client/actions/asks-before-running";
import { groups, rowOperations } from "../../src/explorer/client/operations";
import { reads } from "../../src/explorer/client/operations/reads";
import type { RowOperation } from "../../src/explorer/client/operations/row-operation";

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const inMenu = groups.flatMap(({ operations }) => operations);
const loads = rowOperations.flatMap(({ does }) => {
  if (does.kind === "takes input" && does.loads) return [does.loads.query];
  return does.kind === "asks" && does.followUp ? [does.followUp.query] : [];
});

/** A row of each type, which shows every field that operations know of. */
const rows: Record<RowOperation["type"], Record<string, unknown>> = {
  Order: {
    id: 1,
    customerEmail: "anna@example.com",
    totalAmount: "23.50",
    status: "PENDING",
    version: 3,
  },
  Product: {
    id: 1,
    name: "Sencha",
    slug: "sencha",
    description: "Grassy",
    price: "9.50",
    isActive: true,
    categoryId: 2,
    version: 3,
  },
  Category: { id: 1, name: "Green tea", slug: "green-tea", isActive: true, version: 3 },
  NewsletterSubscriber: { id: 1, email: "anna@example.com", isActive: true },
  WebhookEndpoint: {
    id: 1,
    url: "https://example.com/",
    description: "The warehouse",
    types: ["order.placed"],
    includeLookup: false,
    isActive: true,
    version: 3,
  },
  Delivery: { id: "1" },
};

const operationOf = (query: string) => parse(query).definitions[0] as OperationDefinitionNode;

test("every document fits the schema and has one operation with a name of its own", () => {
  const queries = [...inMenu, ...rowOperations].map(({ query }) => query);
  for (const query of [...queries, ...loads, ...Object.values(reads)]) {
    expect(validate(schema, parse(query)).map(({ message }) => message)).toEqual([]);
    expect(parse(query).definitions).toHaveLength(1);
  }
  const names = [...new Set(queries)].map((query) => operationOf(query).name?.value);
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(names.length);
});

test("every action that changes or deletes a row expects the version that was seen, and answers with the next one", () => {
  const changing = rowOperations.flatMap((operation) => {
    const { query, does } = operation;
    const { operation: kind, selectionSet } = operationOf(query);
    const [field] = selectionSet.selections;
    if (kind !== OperationTypeNode.MUTATION || field?.kind !== Kind.FIELD) return [];
    const root = schema.getMutationType()?.getFields()[field.name.value];
    const expects = root?.args.some(({ name }) => name === "expectedVersion");
    return expects ? [{ operation, does, field }] : [];
  });
  const mutations = new Set(changing.map(({ field }) => field.name.value));
  expect([...mutations].sort()).toEqual([
    "deleteCategory",
    "deleteProduct",
    "setOrderStatus",
    "setProductStatus",
    "updateCategory",
    "updateProduct",
    "updateWebhookEndpoint",
  ]);
  for (const { operation, does, field } of changing) {
    const row = rows[operation.type];
    const given =
      does.kind === "takes input" && does.loads
        ? does.loads.variables(row)
        : operation.variables(row);
    expect(given).toMatchObject({ id: 1, expectedVersion: 3 });
    const passed = field.arguments?.find(({ name }) => name.value === "expectedVersion")?.value;
    expect(passed).toMatchObject({ kind: Kind.VARIABLE, name: { value: "expectedVersion" } });
    if (does.kind !== "asks" || !does.deletes) {
      const selected = field.selectionSet?.selections.map((each) =>
        each.kind === Kind.FIELD ? each.name.value : "",
      );
      expect(selected).toContain("version");
    }
  }
  const isVersioned = (query: string) => /\b(orders?|products?|categories)\(/.test(query);
  for (const { label, query } of inMenu.filter(({ query }) => isVersioned(query))) {
    expect([label, /\bversion\b/.test(query)]).toEqual([label, true]);
  }
});

test("what can't be undone asks before it runs, however it is written", () => {
  const asks = (query: string, variables = {}, operationName?: string) =>
    asksBeforeRunning({ query, variables, operationName });
  const undone = (deed: string) => `${deed}? This can’t be undone.`;

  expect(asks("mutation { deleteProduct(id: 5) { id } }")).toBe(undone("Delete product 5"));
  expect(asks("mutation { gone: deleteCategory(id: 2) { id } }")).toBe(undone("Delete category 2"));
  expect(
    asks("mutation M($x: Int!) { ...F } fragment F on Mutation { deleteProduct(id: $x) { id } }", {
      x: 7,
    }),
  ).toBe(undone("Delete product 7"));
  expect(
    asks(
      "mutation { ... { deleteProduct(id: 1) { id } deleteProduct2: deleteProduct(id: 2) { id } } }",
    ),
  ).toBe(undone("Delete product 1, and delete product 2"));

  const sets =
    "mutation S($to: OrderStatus! = CANCELLED) { setOrderStatus(id: 3, status: $to) { id } }";
  expect(asks(sets)).toBe(undone("Cancel order 3"));
  expect(asks(sets, { to: "CANCELLED" })).toBe(undone("Cancel order 3"));
  expect(asks(sets, { to: "PAID" })).toBeUndefined();
  expect(asks("mutation { setOrderStatus(id: 3, status: PAID) { id } }")).toBeUndefined();

  const two = "query Q { product(id: 1) { id } } mutation M { deleteProduct(id: 1) { id } }";
  expect(asks(two, {}, "Q")).toBeUndefined();
  expect(asks(two, {}, "M")).toBe(undone("Delete product 1"));
  expect(asks("mutation { deleteProduct(")).toBeUndefined();
  expect(asks("mutation { ...F } fragment F on Mutation { ...F }")).toBeUndefined();
});
