import { getNamedType, isObjectType, type GraphQLNamedType } from "graphql";
import { createSchema } from "../../src/graphql/schema/schema";
import { useApp } from "../support/app";
import { keptBy } from "../support/kept-answers";
import { send, sendJson, type Answer } from "../support/raw-http";

const app = useApp({ catalogue: { cache: true } });
beforeAll(async () => {
  await app.make.product({ name: "Assam" });
});

const post = (body: string, headers = {}): Promise<Answer> =>
  sendJson(app.url, "POST", "/graphql", body, headers);

const read = (query: string, rest: object = {}) => JSON.stringify({ query, ...rest });

test("an answer from the cache is the same as the first, headers included", async () => {
  const body = read("query A($id: Int) { product(id: $id) { name } }", { variables: { id: 1 } });
  for (const accept of ["application/json", "application/graphql-response+json"]) {
    const [first, second, uncached] = [
      await post(body, { accept }),
      await post(body, { accept }),
      await post(` ${body}`, { accept }),
    ];
    for (const answer of [first, second, uncached]) {
      expect(answer.text).toBe('{"data":{"product":{"name":"Assam"}}}\n');
      expect(answer.headers["content-type"]).toBe(`${accept}; charset=utf-8`);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers).not.toHaveProperty("etag");
    }
  }
});

test.each([
  ["a list", "{ categories { products { data { category { name } } } } }", 1],
  ["fragments", "{ ...Reads } fragment Reads on Query { products { meta { total } } }", 1],
  ["a connection", "{ productsConnection { totalCount } __typename }", 1],
  ["introspection", "{ __schema { queryType { name } } }", 0],
  ["what is for administrators", "{ orders { meta { total } } categories { id } }", 0],
  ["the same in a fragment", "{ ...F } fragment F on Query { orders { meta { total } } }", 0],
  ["a field with an error", "{ product(id: 1, slug: 'a') { id } }".replaceAll("'", '\\"'), 0],
  ["a document that does not parse", "{", 0],
])("%s", async (_label, query, count) => {
  expect(await keptBy(app, () => post(`{"query":"${query}"}`))).toBe(count);
});

test("a query by GET is kept as one by POST is, each for itself", async () => {
  const get = (path: string, headers = {}) => send(app.url, { method: "GET", path, headers });
  const path = "/graphql?query={products{data{name}}}";
  const { text } = await get(path);
  expect(text).toBe('{"data":{"products":{"data":[{"name":"Assam"}]}}}\n');
  expect(await keptBy(app, () => get(path))).toBe(1);
  expect(await get(path)).toMatchObject({ status: 200, text });
  // A POST whose body is the query string, and a GET that is refused for its media type, get nothing of it.
  expect((await post(path.slice("/graphql".length))).status).toBe(400);
  expect((await get(path, { "content-type": "text/plain" })).status).toBe(415);
});

test("mutations, requests with extensions and refused pages are not kept", async () => {
  const bodies = [
    read('mutation { subscribeToNewsletter(email: "a@example.com") }'),
    read("{ categories { id } }", { extensions: { cost: true } }),
    read("{ products(page: 0) { data { id } } }"),
  ];
  for (const body of bodies) expect(await keptBy(app, () => post(body))).toBe(0);
});

test("variables are told apart by what was sent", async () => {
  const query =
    "query ($most: Decimal) { products(filter: { maxPrice: $most }) { data { name } } }";
  const refused = await post(`{"query":"${query}","variables":{"most":10.001}}`);
  const found = await post(`{"query":"${query}","variables":{"most":10.000}}`);
  expect(refused.text).toContain("errors");
  expect(found.text).toContain("Assam");
});

test("nothing below a catalogue read leads out of the catalogue", () => {
  const query = createSchema(app.shop.services).getQueryType()!.getFields();
  const reached = new Set<string>();
  const follow = (type: GraphQLNamedType): void => {
    if (!isObjectType(type) || reached.has(type.name)) return;
    reached.add(type.name);
    for (const field of Object.values(type.getFields())) follow(getNamedType(field.type));
  };
  for (const name of ["categories", "category", "products", "product", "productsConnection"]) {
    follow(getNamedType(query[name]!.type));
  }
  expect([...reached].toSorted()).toEqual([
    ...["Category", "PageInfo", "PageMeta", "Price"],
    ...["Product", "ProductConnection", "ProductEdge", "ProductPage"],
  ]);
});
