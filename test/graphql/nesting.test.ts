import { useApp } from "../support/app";
import { graphqlClauseEach } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { execute, type GraphqlBody } from "./client";
import { refusedOperation } from "../support/refusals";

const app = useApp();
const generous = useApp({ graphql: { maxTokens: 1_000_000 }, http: { bodyLimit: 5_000_000 } });

const message = "The document's brackets are nested deeper than 200 levels";
const refusal = refusedOperation(400, [message]);

const nested: Record<string, (levels: number) => string> = {
  lists: (n) =>
    `{ products(filter: { search: ${"[".repeat(n)}${"]".repeat(n)} }) { data { id } } }`,
  objects: (n) => `{ products(filter: ${"{ a: ".repeat(n)}1${"}".repeat(n)}) { data { id } } }`,
  selections: (n) => `{ categories ${"{ a ".repeat(n)}${"}".repeat(n)} }`,
  "inline fragments": (n) => `{ ${"... { ".repeat(n)}__typename${"}".repeat(n)} }`,
  types: (n) => `query ($a: ${"[".repeat(n)}Int${"]".repeat(n)}) { __typename }`,
  "brackets that are never closed": (n) => `{ products(filter: ${"[".repeat(n)}`,
  "all kinds, after a text and a comment": (n) => `{ # {[(
    a(b: """ ]]] """) ${"{a(b:[".repeat(n)}`,
};

graphqlClauseEach("10.limits.nesting", "deep nesting is never parsed", nested, async (write) => {
  for (const levels of [201, 3000, 14_000]) {
    const { status, body } = await execute(generous, { query: write(levels) });
    expect([status, body]).toEqual([200, refusal]);
  }
  expect((await execute(app, { query: write(900) })).body).toEqual(refusal);
  const deep = write(150_000);
  expect((await execute(generous, { query: deep })).body).toEqual(refusal);
});

test("brackets exactly 200 deep are allowed beside many others, 201 deep are not", async () => {
  const write = (levels: number) =>
    `{ ${"... { __typename } ".repeat(200)}${nested["inline fragments"]!(levels - 1).slice(1)}`;
  expect((await execute(app, { query: write(200) })).body).toEqual({
    data: { __typename: "Query" },
  });
  expect((await execute(app, { query: write(201) })).body).toEqual(refusal);
});

test("brackets in texts and comments, and those that are closed, do not count", async () => {
  const brackets = "[{(".repeat(500);
  const query = `{ # ${brackets}
    a: product(slug: "${brackets}") { id } b: product(slug: """${brackets}""") { id }
    ${"__typename @include(if: true) ".repeat(200)} }`;
  const { body } = await execute(app, { query });
  expect(body).toEqual({ data: { a: null, b: null, __typename: "Query" } });
});

const lists = "[".repeat(40_000) + "]".repeat(40_000);
const objects = '{"a":'.repeat(15_000) + "1" + "}".repeat(15_000);

test.each([
  ["lists", lists],
  ["objects", objects],
])("%s nested thousands deep in JSON are refused where they are used", async (_label, value) => {
  const uses = [
    ["query ($v: String) { product(slug: $v) { id } }", "BAD_USER_INPUT"],
    ["query ($v: ProductFilter) { products(filter: $v) { data { id } } }", "BAD_USER_INPUT"],
    ["mutation ($v: PlaceOrderInput!) { placeOrder(input: $v) { id } }", "BAD_USER_INPUT"],
    ["mutation ($v: [Int!]) { subscribeToNewsletter(email: $v) }", "GRAPHQL_VALIDATION_FAILED"],
  ];
  for (const [query, code] of uses) {
    const body = `{"query":${JSON.stringify(query)},"variables":{"v":${value}}}`;
    const answer = await sendJson(app.url, "POST", "/graphql", body);
    const { errors = [] } = answer.body as GraphqlBody;
    expect([answer.status, errors.map(({ extensions }) => extensions.code)]).toEqual([200, [code]]);
    expect(answer.text.length).toBeLessThan(2000);
  }
});

test("nothing of this is logged as a fault of ours", () => {
  for (const { log } of [app, generous]) {
    expect(log.filter((line) => /unexpected failure|call stack/i.test(line))).toEqual([]);
  }
});
