import { Client } from "pg";
import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { execute, type GraphqlBody, type GraphqlRequest } from "./client";
import { extensionsOf, refusedOperation } from "../support/refusals";

jest.setTimeout(60_000);

const app = useApp();
let statements: jest.SpyInstance;
beforeAll(() => {
  statements = jest.spyOn(Client.prototype, "query");
});
afterAll(() => statements.mockRestore());

const times = (count: number, write: (index: number) => string, separator = " ") =>
  Array.from({ length: count }, (_, index) => write(index)).join(separator);

/** Fragments that each spread the next one twice: 2^20 fields, were they expanded. */
const expansion = `query { products { data { ...F0 } } }
  ${times(
    20,
    (i) => `fragment F${i} on Product {
    a: category { products { data { ...F${i + 1} } } }
    b: category { products { data { ...F${i + 1} } } }
  }`,
  )}
  fragment F20 on Product { id }`;

const flatExpansion = `query { products { data { ...F0 } } }
  ${times(20, (i) => `fragment F${i} on Product { a${i}: id ...F${i + 1} ... { b${i}: id ...F${i + 1} } }`)}
  fragment F20 on Product { id }`;

const nested = (depth: number) =>
  `{ products { data { ${"category { products { data { ".repeat(depth)} id ${"} } } ".repeat(depth)} } } }`;

const input = `mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }`;

const hostile: Record<string, GraphqlRequest> = {
  "5,000 aliases": { query: `{ ${times(5000, (i) => `a${i}:categories{id}`, "")} }` },
  "2^20 fragment expansions": { query: expansion },
  "2^20 fragment expansions without depth": { query: flatExpansion },
  "depth 3,000": { query: nested(1000) },
  "40,000 elements of a list in the document": {
    query: `mutation { placeOrder(input: { customerEmail: "a@b.co", items: [${times(40_000, () => "1", ",")}] }) { id } }`,
  },
  "40,000 elements of a list in a variable": {
    query: `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { id } }`,
    variables: {
      input: { customerEmail: "a@b.co", items: Array.from({ length: 40_000 }, () => 1) },
    },
  },
  "50,000 characters that look like a suggestion": {
    query: input,
    variables: { input: { name: "x", slug: ["Did you mean ".repeat(4000)] } },
  },
  "a text of 90,000 characters": {
    query: input,
    variables: { input: { name: 7, slug: "x".repeat(90_000) } },
  },
  "1,000 repeated fields": { query: `{ ${times(1000, () => "categories { id }")} }` },
  "deep introspection": {
    query: `{ __schema { types { ${"fields { type { ".repeat(20)} name ${"} } ".repeat(20)} } } }`,
  },
  "introspection in circles": {
    query: `{ __schema { types { ${"ofType: fields { type { fields { type { ".repeat(4)} name ${"} } } } ".repeat(4)} } } }`,
  },
  "fragments in circles": {
    query: `{ products { data { ...F0 } } }
      ${times(100, (i) => `fragment F${i} on Product { ...F${(i + 1) % 100} }`)}`,
  },
  "fragments that spread all others": {
    query: `{ products { data { ...F0 } } }
      ${times(30, (i) => `fragment F${i} on Product { ${times(30, (j) => (i === j ? "" : `...F${j}`))} }`)}`,
  },
  "300 unknown fields": { query: `{ ${times(300, (i) => `nope${i}`)} }` },
  "300 conflicting fields": {
    query: `{ ${times(200, (i) => `a: products(page: ${i + 1}) { data { id } }`)} }`,
  },
  "300 variables that are not fit": {
    query: `query (${times(300, (i) => `$v${i}: Int!`)}) { ${times(300, (i) => `a${i}: product(id: $v${i}) { id }`)} }`,
    variables: Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`v${i}`, "x".repeat(100)]),
    ),
  },
  "6,000 unknown fields in a variable": {
    query: input,
    variables: {
      input: Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`x${i}`, i])),
    },
  },
  "300 directives": { query: `{ categories ${"@skip(if: true) ".repeat(300)} { id } }` },
  "2,500 operations": { query: times(2500, (i) => `query Q${i} { categories { id } }`) },
  "90,000 blanks and commas, and no operation": { query: " ,".repeat(45_000) },
};

graphqlClauseEach(
  "10.limits.errors",
  "hostile operations are refused without a statement, with at most 10 errors in less than 20 kB",
  hostile,
  async (request) => {
    await expectRefusal(JSON.stringify(request));
  },
);

async function expectRefusal(request: string): Promise<void> {
  statements.mockClear();
  const { status, text, body } = await sendJson(app.url, "POST", "/graphql", request);
  expect([status, statements.mock.calls]).toEqual([200, []]);
  const { data, errors = [] } = body as GraphqlBody;
  expect(data ?? null).toBeNull();
  const codes = errors.map(({ extensions }) => extensions.http.statusCode);
  expect([...new Set(codes)]).toEqual([400]);
  expect(codes.length).toBeLessThanOrEqual(10);
  expect(Buffer.byteLength(text)).toBeLessThan(20_000);
}

test("nothing of this is logged as a fault of ours", () => {
  expect(app.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
});

graphqlClauseEach<string>(
  "10.limits.login",
  "a second login is refused before either is tried",
  {
    "a field": `login(input: $input) { accessToken }`,
    "an alias": `b: login(input: $input) { accessToken }`,
    "an inline fragment": `... on Mutation { b: login(input: $input) { accessToken } }`,
    "a fragment": `...Login`,
  },
  async (second) => {
    statements.mockClear();
    const query = `mutation ($input: LoginInput!) {
      a: login(input: $input) { accessToken }
      ${second}
    }
    ${second === "...Login" ? `fragment Login on Mutation { b: login(input: $input) { accessToken } }` : ""}`;
    const variables = { input: { email: "a@example.com", password: "x" } };
    const { body } = await execute(app, { query, variables });
    const message = ["login may occur once per operation"];
    expect(body.errors?.map(({ extensions }) => extensions)).toEqual([extensionsOf(400, message)]);
    expect(statements.mock.calls).toEqual([]);
  },
);

describe("suggestions", () => {
  const misspelt: Record<string, GraphqlRequest> = {
    "of a field": { query: "{ categoriez { id } }" },
    "of an argument": { query: "{ products(pagesize: 1) { data { id } } }" },
    "of a type": { query: "query ($a: ProductFiltr) { products(filter: $a) { data { id } } }" },
    "of an input field": { query: `mutation { createCategory(input: { nam: "x" }) { id } }` },
    "of an enum value": { query: "{ orders(filter: { status: PAD }) { data { id } } }" },
    "of a variable's field": { query: input, variables: { input: { name: "x", slugg: "x" } } },
    "of a variable's enum value": {
      query: "query ($f: OrderFilter) { orders(filter: $f) { data { id } } }",
      variables: { f: { status: "PAD" } },
    },
  };
  const production = useApp({ graphql: { suggestions: false } });

  graphqlClauseEach(
    "10.language.suggestions",
    "suggestions are told where they are on, and kept back where they are off",
    misspelt,
    async (request) => {
      expect((await execute(app, request)).text).toContain("Did you mean");
      const { text, body } = await execute(production, request);
      expect(body.errors).not.toHaveLength(0);
      expect(text).not.toContain("Did you mean");
    },
  );
});

describe("limits from the settings", () => {
  const operationLimits = { maxDepth: 3, maxCost: 20, maxAliases: 2, maxWeight: 10_000 };
  const limited = useApp({ graphql: { operationLimits, maxTokens: 60 } });

  const extensions = { cost: true };

  graphqlClauseEach<[string, string[]]>(
    "10.limits",
    "what exceeds the bounds is refused with all that it exceeds",
    {
      depth: ["{ products(pageSize: 5) { data { category { id } } } }", ["Depth 4 exceeds 3"]],
      aliases: ["{ a: categories { id } b: categories { c: id } }", ["3 aliases exceed 2"]],
      cost: ["{ products(pageSize: 20) { data { id } } }", ["Cost 21 exceeds 20"]],
      "all at once": [
        "{ a: products(pageSize: 20) { b: data { c: category { id } } } }",
        ["Depth 4 exceeds 3", "Cost 41 exceeds 20", "3 aliases exceed 2"],
      ],
    },
    async ([query, message]) => {
      const { body } = await execute(limited, { query });
      expect(body).toEqual(refusedOperation(400, message));
    },
  );

  graphqlClause("10.limits.cost", "what is within the bounds is told its cost", async () => {
    const query = "{ products(pageSize: 19) { data { a: id b: id } } }";
    const { body } = await execute(limited, { query, extensions });
    expect(body).toEqual({
      data: { products: { data: [] } },
      extensions: { cost: { cost: 20, maxCost: 20, depth: 3 } },
    });
    expect((await execute(limited, { query })).body).toEqual({
      data: { products: { data: [] } },
    });
  });

  graphqlClause("10.limits.cost", "what is refused is told its cost, too", async () => {
    const query = "{ products(pageSize: 50) { data { id } } }";
    const { body } = await execute(limited, { query, extensions });
    expect(body.extensions).toEqual({ cost: { cost: 51, maxCost: 20, depth: 3 } });
  });

  graphqlClause("10.limits", "a document of too many tokens does not parse", async () => {
    const query = `{ ${times(30, () => "categories { id }")} }`;
    const { body } = await execute(limited, { query });
    expect(body.errors?.[0]?.extensions.code).toBe("GRAPHQL_PARSE_FAILED");
  });
});
