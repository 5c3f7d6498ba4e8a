import { execute as run, getIntrospectionQuery, Kind, parse } from "graphql";
import { measureOperation } from "../../src/graphql/limits/measure-operation";
import { startApp, useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { schema } from "../support/schema";
import { execute } from "./client";
import { refusedOperation } from "../support/refusals";
import { everyOption } from "./introspection-options";

const app = useApp();

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(" ");

const tooHeavy = "The answer would be too large: its weight exceeds 1000000";

/** What tools ask for, by the tool. */
const introspections: [string, string][] = [
  ["GraphiQL's", getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true })],
  ["graphql-codegen's, with every option", getIntrospectionQuery(everyOption)],
  ["Apollo's", getIntrospectionQuery({ descriptions: true })],
  ["one without descriptions", getIntrospectionQuery({ descriptions: false })],
  [
    "a type's",
    `{ __type(name: "Product") { name fields { name type { name ofType { name } } } } }`,
  ],
];

test.each(introspections)("an introspection query passes: %s", async (_label, query) => {
  const { body } = await execute(app, { query, extensions: { cost: true } });
  expect(body.errors).toBeUndefined();
  expect(body.extensions?.cost).toEqual({ cost: 0, maxCost: 2000, depth: 0 });
});

const heavy: [string, string][] = [
  [
    "aliases of introspection",
    `{ ...Q } fragment Q on Query { ${times(5, (i) => `a${i}: __schema { ${times(8, (j) => `b${i}x${j}: types { ...T }`)} }`)} } fragment T on __Type { fields { name args { name description type { name kind } } type { name kind } } }`,
  ],
  [
    "fragments and aliases in introspection",
    `{ __schema { types { ${times(6, (i) => `a${i}: fields { ...F }`)} } } }
     fragment F on __Field { ${times(6, (i) => `b${i}: type { ...T }`)} }
     fragment T on __Type { name kind description ofType { name kind description ofType { name kind } } }`,
  ],
  [
    "fragments that double with each other and hold next to nothing",
    `{ products { ...F0 } }
     ${times(40, (i) => `fragment F${i} on ProductPage { ...F${i + 1} ... { ...F${i + 1} } }`)}
     fragment F40 on ProductPage { __typename }`,
  ],
  [
    "the same leaves again and again",
    `{ ${times(30, (i) => `a${i}: products(pageSize: 50) { data { ...F } }`)} }
     fragment F on Product { ${times(60, () => "name")} }`,
  ],
  [
    "__typename under many names",
    `{ categories { products(pageSize: 50) { data { ${times(40, (i) => `a${i}: __typename`)} } } } }`,
  ],
];

graphqlClauseEach(
  "10.limits.weight",
  "too heavy an answer is refused beforehand",
  Object.fromEntries(heavy),
  async (query) => {
    const { body } = await execute(app, { query });
    expect(body).toEqual(refusedOperation(400, [tooHeavy]));
  },
);

test("aliases in introspection count as aliases", async () => {
  const query = `{ __schema { ${times(51, (i) => `a${i}: description`)} } }`;
  const { body } = await execute(app, { query });
  expect(body.errors?.map(({ message }) => message)).toEqual(["51 aliases exceed 50"]);
  const fragment = `{ __type(name: "Int") { ...F ...F } } fragment F on __Type { ${times(26, (i) => `a${i}: name`)} }`;
  const twice = await execute(app, { query: fragment });
  expect(twice.body.errors?.map(({ message }) => message)).toEqual(["52 aliases exceed 50"]);
});

test("of several operations the one that is named is judged", async () => {
  const query = `query Light { categories { id } } query Heavy { __schema { ...S } }
    fragment S on __Schema { ${times(45, (i) => `a${i}: types { fields { name description args { name type { name kind } } type { name } } }`)} }`;
  const light = await execute(app, { query, operationName: "Light" });
  expect(light.body).toEqual({ data: { categories: [] } });
  const heavier = await execute(app, { query, operationName: "Heavy" });
  expect(heavier.body.errors?.map(({ message }) => message)).toEqual([tooHeavy]);
});

graphqlClause("10.limits.weight", "the weight that an answer may have is a setting", async () => {
  const limits = { ...app.settings.graphql.operationLimits, maxWeight: 100 };
  const strict = await startApp({ graphql: { operationLimits: limits } });
  try {
    const { body } = await execute(strict, { query: "{ __typename }" });
    expect(body).toEqual({ data: { __typename: "Query" } });
    const refused = await execute(strict, { query: "{ a: __typename b: __typename }" });
    expect(refused.body.errors?.[0]?.message).toContain("its weight exceeds 100");
  } finally {
    await strict.close();
  }
});

function weightOf(query: string, maxWeight = Infinity): number {
  const { definitions } = parse(query);
  const [operation] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return measureOperation({
    ...{ schema, operation: operation!, fragments },
    ...{ variables: {}, maxWeight },
  }).weight;
}

test.each([
  ...introspections,
  [
    "one with aliases, arguments and fragments",
    `{ ...Q __typename } fragment Q on Query { s: __schema { ...S ... on __Schema { d: directives { locations args { defaultValue } } } } }
     fragment S on __Schema { types { ...T ofType { ...T } possibleTypes { name } __typename enumValues(includeDeprecated: true) { name } } }
     fragment T on __Type { name kind inputFields { name defaultValue type { ...N } } }
     fragment N on __Type { name name kind ofType { name ofType { name } } }`,
  ],
])("an answer is never longer than its weight, nor ten times shorter: %s", (_label, query) => {
  const weight = weightOf(query);
  const bytes = Buffer.byteLength(JSON.stringify(run({ schema, document: parse(query) })));
  expect(weight).toBeGreaterThan(bytes);
  expect(weight).toBeLessThan(10 * bytes);
});

const LEAVES = "id price isActive createdAt name description";
const leaves = 22 + 8 + (25 + 10) + (28 + 5) + (29 + 26) + (24 + 40) + (31 + 300);

test.each([
  ["__typename", "{ __typename }", 30 + 40],
  ["an object", `{ product(id: 1) { ${LEAVES} } }`, 27 + 3 + 3 + leaves],
  ["a list", "{ categories { id } }", 30 + 3 + 10 * (3 + 30)],
  ["a page", "{ products(pageSize: 5) { data { id } } }", 28 + 3 + 3 + (24 + 3 + 5 * (3 + 30))],
  ["a fragment", "{ ...F } fragment F on Query { __typename }", 8 + 70],
  ["an inline fragment", "{ ... on Query { ... { __typename } } }", 70],
  [
    "a type",
    `{ __type(name: "Boolean") { kind ofType { name } ... { name } } }`,
    26 + 3 + (24 + 3 + 6) + (26 + 3) + 8 + (24 + 3 + 7),
  ],
  [
    "a list of the schema",
    `{ __type(name: "SortDirection") { enumValues { name } } }`,
    26 + 3 + (30 + 3 + (3 + 24 + 3 + 3) + (3 + 24 + 3 + 4)),
  ],
  [
    "the same type twice",
    `{ a: __type(name: "Boolean") { ...F } b: __type(name: "Boolean") { ...F } } fragment F on __Type { name }`,
    2 * (21 + 3 + 8 + (24 + 3 + 7)),
  ],
])("%s weighs what docs/graphql.md says", (_label, query, weight) => {
  expect(weightOf(query)).toBe(weight);
});

test("introspection that is too heavy is refused, wherever the weighing stops", () => {
  const query = `{ __type(name: "SortDirection") { name ... { kind } enumValues { name } } }`;
  const weight = weightOf(query);
  const limits = Array.from({ length: weight }, (_, limit) => limit);
  expect(limits.filter((limit) => weightOf(query, limit) <= limit)).toEqual([]);
  expect(weightOf(query, weight)).toBe(weight);
});
