import {
  buildSchema,
  GraphQLObjectType,
  Kind,
  OperationTypeNode,
  parse,
  validate,
  type OperationDefinitionNode,
} from "graphql";
import { readFileSync } from "node:fs";
import { groups, rowOperations } from "../../src/explorer/client/operations";
import { bestMatchFirst } from "../../src/explorer/client/operations/product-list";
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

/** The names of variables that an operation takes, with a mark for those that it can't do without. */
const takenBy = (query: string) =>
  (operationOf(query).variableDefinitions ?? []).map(({ variable, type, defaultValue }) => ({
    name: variable.name.value,
    isRequired: type.kind === Kind.NON_NULL_TYPE && !defaultValue,
  }));

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

test("what an action needs of a row is a field of its type", () => {
  for (const { type, fields, does } of rowOperations) {
    const object = schema.getType(type);
    const known = object instanceof GraphQLObjectType ? Object.keys(object.getFields()) : [];
    const from = does.kind === "opens" && does.from ? [does.from] : [];
    expect(known).toEqual(expect.arrayContaining([...fields, ...from, ...Object.keys(rows[type])]));
  }
});

test("every action gives its operation the variables that it takes, or opens a form for the others", () => {
  for (const operation of rowOperations) {
    const { type, query, fields, does } = operation;
    const row = Object.fromEntries(fields.map((field) => [field, rows[type][field]]));
    const own = operation.variables(row);
    const given =
      does.kind === "takes input" && does.loads ? does.loads.variables(rows[type]) : own;
    const taken = takenBy(query);
    expect(taken.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(given)));
    const isFilledIn = does.kind === "opens" && query.startsWith("mutation");
    const required = taken.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    if (!isFilledIn) expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
    expect(JSON.stringify(given)).not.toContain("undefined");
  }
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

test("every list of pages says which page, and in which order where it can", () => {
  for (const { query } of inMenu) {
    const { selectionSet } = operationOf(query);
    const [field] = selectionSet.selections;
    if (field?.kind !== Kind.FIELD) continue;
    const root = schema.getQueryType()?.getFields()[field.name.value];
    const passed = (field.arguments ?? []).map(({ name }) => name.value);
    const choices = root?.args.map(({ name }) => name) ?? [];
    for (const name of ["page", "sort"]) {
      if (choices.includes(name)) expect(passed).toContain(name);
    }
  }
});

test("the list of products is by relevance while something is searched for, unless an order is chosen", () => {
  const { follows, variables } = inMenu.find(({ label }) => label === "Products")!;
  const [byName, byRelevance, byPrice] = [
    { field: "NAME", direction: "ASC" },
    { field: "RELEVANCE", direction: "DESC" },
    { field: "PRICE", direction: "ASC" },
  ];
  const begun = variables();
  const searched = { filter: { search: "earl" }, sort: byName };
  expect(begun).toEqual({ filter: {}, sort: byName });
  expect(follows?.(searched, begun)).toEqual({ ...searched, sort: byRelevance });
  for (const filter of [{}, { search: "" }, { search: null }, undefined]) {
    expect(bestMatchFirst({ filter, sort: byRelevance }, searched)).toEqual({
      filter,
      sort: byName,
    });
  }
  const chosen = { ...searched, sort: byPrice };
  expect(bestMatchFirst(chosen, { ...begun, sort: byPrice })).toBe(chosen);
  // Sorted by name once more, with the words of the search edited since.
  const sorted = { filter: { search: "earl g" }, sort: byName };
  expect(bestMatchFirst(sorted, searched)).toBe(sorted);
});

test("what a search finds begins with what fits best", () => {
  const searches = inMenu.filter(({ query }) => query.includes("$search"));
  expect(searches.map(({ variables }) => variables())).toEqual([
    { sort: { field: "RELEVANCE", direction: "DESC" } },
  ]);
});
