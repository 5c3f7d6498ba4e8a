import { getIntrospectionQuery, Kind, parse } from "graphql";
import { measureOperation } from "../../src/graphql/limits/measure-operation";
import { startApp, useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { schema } from "../support/schema";
import { execute } from "./client";
import { refusedOperation } from "../support/refusals";

/** All that graphql-js lets tools ask for of a schema. */
const everyOption = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

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
  expect(body.errors?.[0]?.message).toContain("51 aliases exceed 50");
  const fragment = `{ __type(name: "Int") { ...F ...F } } fragment F on __Type { ${times(26, (i) => `a${i}: name`)} }`;
  const twice = await execute(app, { query: fragment });
  expect(twice.body.errors?.[0]?.message).toContain("52 aliases exceed 50");
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

function weightOf(query: string): number {
  const { definitions } = parse(query);
  const [operation] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return measureOperation({ schema, operation: operation!, fragments, variables: {} }).weight;
}

const LEAVES = "id price isActive createdAt name description";
const leaves = 22 + 8 + (25 + 10) + (28 + 5) + (29 + 26) + (24 + 40) + (31 + 300);

test.each([
  ["__typename", "{ __typename }", 30 + 40],
  ["an object", `{ product(id: 1) { ${LEAVES} } }`, 27 + 3 + 3 + leaves],
  ["a list", "{ categories { id } }", 30 + 3 + 10 * (3 + 30)],
  ["a page", "{ products(pageSize: 5) { data { id } } }", 28 + 3 + 3 + (24 + 3 + 5 * (3 + 30))],
  ["a fragment", "{ ...F } fragment F on Query { __typename }", 8 + 70],
  ["an inline fragment", "{ ... on Query { ... { __typename } } }", 70],
  ["the schema", "{ __schema { queryType { name } } }", 400_000],
  ["a type", `{ __type(name: "Boolean") { kind } }`, 50_000],
  ["a type with aliases", `{ __type(name: "Boolean") { a: kind b: kind } }`, 150_000],
])("%s weighs what docs/graphql.md says", (_label, query, weight) => {
  expect(weightOf(query)).toBe(weight);
});
