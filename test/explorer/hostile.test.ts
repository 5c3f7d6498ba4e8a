import { changedAnswer } from "../../src/explorer/client/actions/changed-answer";
import { sent } from "../../src/explorer/client/actions/sent";
import { valuesOf } from "../../src/explorer/client/actions/values";
import { keysOf, valueIn } from "../../src/explorer/client/answers/answer-table";
import { pagingOf } from "../../src/explorer/client/answers/paging";
import { tablesIn } from "../../src/explorer/client/answers/tables-in";
import { catalogue } from "../../src/explorer/client/operations/products";
import { linkedBy } from "../../src/explorer/client/workbench/link";
import { introspected, shopSchema } from "./schema";

const shop = shopSchema();

const tablesOf = (query: string, data: Record<string, unknown>, variables = {}) =>
  tablesIn(shop, { query, variables }, data);

test("a mutation that was done has not failed, whatever its answer lacks", async () => {
  const errors = [{ message: "No category", path: ["createProduct", "category"] }];
  const answering = (data: Record<string, unknown> | null) =>
    sent(() => Promise.resolve({ data, errors }), { query: "" });
  expect(await answering({ createProduct: { id: 1, category: null } })).not.toHaveProperty(
    "failure",
  );
  for (const data of [null, { createProduct: null }]) {
    expect((await answering(data)).failure?.messages).toEqual(["No category"]);
  }
});

test("the values of an object of JavaScript are none of an answer's", () => {
  const query = `query ($constructor: Int) {
    constructor: product(id: 1) { toString: id }
    valueOf: products(page: $constructor) { data { id hasOwnProperty: name } }
  }`;
  expect(tablesOf(query, {})).toEqual([]);
  const [table] = tablesOf(query, { valueOf: { data: [{ id: 1 }] } });
  const [row] = table!.rows;
  expect(table!.columns.map((column) => valueIn(row!, column))).toEqual([1, null]);
  expect(valuesOf(table!, row!)).toEqual({ id: 1 });
  expect(pagingOf(table!)?.current).toBe(1);

  const odd = introspected(
    "type Query { thing: Thing } type Thing { id: Int constructor: String }",
  );
  const answer = { data: { thing: { id: 1, constructor: "Ben" } } };
  const request = { query: "{ thing { id constructor } }" };
  const change = { typeName: "Thing", values: { id: 1 } };
  expect(changedAnswer(odd, { request, answer }, change)).toEqual(answer);
});

test("a field that is named as the id is not it", () => {
  const [table] = tablesOf("{ products { data { id: categoryId number: id } } }", {
    products: { data: [{ id: 7, number: 1 }] },
  });
  expect(keysOf(table!)).toEqual(["Product 1"]);
  expect(valuesOf(table!, table!.rows[0]!)).toEqual({ categoryId: 7, id: 1 });
});

test("an object that stands in a list twice has two rows", () => {
  const green = { id: 1, name: "Green" };
  const [table] = tablesOf("{ categories { id name } }", { categories: [green, null, green] });
  expect(keysOf(table!)).toEqual(["Category 1", "Category 1, row 1"]);
});

test("a link brings no more than a person would fill in", () => {
  const link = (variables: string) => `#operation=Catalogue&variables=${variables}`;
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const list = `{"a":${"[".repeat(3000)}${"]".repeat(3000)}}`;
  expect(linkedBy(link(nested(8)), [catalogue])?.variables).toEqual(JSON.parse(nested(8)));
  for (const variables of [nested(1000), list]) {
    expect(() => linkedBy(link(variables), [catalogue])).toThrow(
      "The variables of the link are nested too deep",
    );
  }
});
