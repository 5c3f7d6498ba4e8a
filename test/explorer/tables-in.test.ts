import { keyOf, valueIn } from "../../src/explorer/client/answers/answer-table";
import { columnHeading } from "../../src/explorer/client/answers/columns";
import { captionOf, emptyText } from "../../src/explorer/client/answers/range";
import { tablesIn } from "../../src/explorer/client/answers/tables-in";
import type { Request } from "../../src/explorer/client/service";
import { introspected, shopSchema } from "./schema";

const shop = shopSchema();

/** The tables of an answer: what a person sees of each. */
function shown(query: string | Request, data: Record<string, unknown>, schema = shop) {
  const request = typeof query === "string" ? { query } : query;
  return tablesIn(schema, request, data).map((table) => ({
    caption: captionOf(table),
    type: table.typeName,
    path: table.path.join("."),
    headings: table.columns.map(columnHeading),
    cells: table.rows.map((row) => table.columns.map((column) => valueIn(row, column))),
  }));
}

const pen = { id: 1, name: "Sencha" };
const cup = { id: 2, name: "Oolong" };

test("a list, a page and a connection are tables of their rows", () => {
  const query = `{
    categories { id name }
    products(page: 2, pageSize: 2) { meta { total page pageSize } data { id name } }
    productsConnection { totalCount edges { cursor node { id name } } }
  }`;
  const data = {
    categories: [pen],
    products: { meta: { total: 4, page: 2, pageSize: 2 }, data: [pen, cup] },
    productsConnection: { totalCount: 9, edges: [{ cursor: "a", node: cup }] },
  };
  expect(shown(query, data)).toEqual([
    {
      caption: "Categories, 1 row",
      type: "Category",
      path: "categories",
      headings: ["Id", "Name"],
      cells: [[1, "Sencha"]],
    },
    {
      caption: "Products, 3–4 of 4",
      type: "Product",
      path: "products.data",
      headings: ["Id", "Name"],
      cells: [
        [1, "Sencha"],
        [2, "Oolong"],
      ],
    },
    {
      caption: "Products, 1 of 9",
      type: "Product",
      path: "productsConnection.edges",
      headings: ["Id", "Name"],
      cells: [[2, "Oolong"]],
    },
  ]);
});

test("an object is a row, and each of its lists a further table", () => {
  const query = `query Order($id: Int!) {
    order(id: $id) { id customerEmail items { quantity product { id name category { name } } } }
  }`;
  const product = { ...pen, category: { name: "Green" } };
  const items = [{ quantity: 3, product }];
  expect(shown(query, { order: { id: 7, customerEmail: "a@b.example", items } })).toEqual([
    {
      caption: "Order, 1 row",
      type: "Order",
      path: "order",
      headings: ["Id", "Customer email"],
      cells: [[7, "a@b.example"]],
    },
    {
      caption: "Items, 1 row",
      type: "OrderItem",
      path: "order.items",
      headings: ["Quantity", "Product id", "Product name", "Product category"],
      cells: [[3, 1, "Sencha", { name: "Green" }]],
    },
  ]);
  expect(shown(query, { order: null })).toMatchObject([
    { headings: ["Id", "Customer email"], cells: [] },
  ]);
});

test("a page within an object is a table, too", () => {
  const query = "{ category(id: 1) { name products { meta { total } data { id } } } }";
  const data = {
    category: { name: "Green", products: { meta: { total: 40 }, data: [{ id: 1 }] } },
  };
  expect(shown(query, data)).toMatchObject([
    { path: "category", headings: ["Name"] },
    { path: "category.products.data", caption: "Products, 1–1 of 40", headings: ["Id"] },
  ]);
});

test("scalars of the root share a table", () => {
  const query = `mutation { a: subscribeToNewsletter(email: "x") unsubscribeFromNewsletter(email: "x") }`;
  const data = { a: true, unsubscribeFromNewsletter: false };
  expect(shown(query, data)).toMatchObject([
    {
      type: "Mutation",
      path: "",
      headings: ["A", "Unsubscribe from newsletter"],
      cells: [[true, false]],
    },
  ]);
});

test("an empty list has its columns", () => {
  const request = {
    query: "{ orders { data { id status } } newsletterSubscribers { data { id } } }",
  };
  const data = { orders: { data: [] }, newsletterSubscribers: { data: [] } };
  expect(shown(request, data)).toMatchObject([
    { headings: ["Id", "Status"] },
    { headings: ["Id"] },
  ]);
  expect(tablesIn(shop, request, data).map(emptyText)).toEqual([
    "No orders.",
    "No newsletter subscribers.",
  ]);
});

test("aliases, fragments, directives and the operation's name are heeded", () => {
  const query = `
    query Other { categories { id } }
    query Mine {
      cheap: products { rows: data { ...Parts ... on Product { cost: price } kind: category { title: name } } }
      products @skip(if: true) { data { id } }
    }
    fragment Parts on Product { no: id name ...Parts }`;
  const row = { no: 1, name: "Sencha", cost: "2.00", kind: { title: "Green" } };
  const data = { cheap: { rows: [row] } };
  const [table] = tablesIn(shop, { query, operationName: "Mine" }, data);
  expect(table).toMatchObject({ title: "cheap", path: ["cheap", "rows"] });
  expect(table!.columns).toEqual([
    { path: ["no"], fields: ["id"], kind: "number" },
    { path: ["name"], fields: ["name"], kind: "text" },
    { path: ["cost"], fields: ["price"], kind: "number" },
    { path: ["kind", "title"], fields: ["category", "name"], kind: "text" },
  ]);
  expect(keyOf(table!, row, 0)).toBe("Product 1");
});

test("columns are of the kind that the schema's types say", () => {
  const query =
    "{ orders { data { id customerEmail totalAmount status createdAt items { id } } } products { data { isActive } } }";
  const data = { orders: { data: [] }, products: { data: [] } };
  const kinds = tablesIn(shop, { query }, data).map(({ columns }) =>
    columns.map(({ kind }) => kind),
  );
  expect(kinds).toEqual([["number", "text", "number", "enum", "time", "list"], ["boolean"]]);
});

test("what is no table is left out", () => {
  const introspection = "{ __schema { types { name } } __typename }";
  const data = { __schema: { types: [{ name: "Query" }] }, __typename: "Query" };
  expect(shown(introspection, data)).toEqual([]);
  expect(shown("{ broken", { broken: [{ id: 1 }] })).toEqual([]);
  expect(shown("{ unheardOf { id } }", { unheardOf: [{ id: 1 }] })).toEqual([]);
  expect(shown("{ categories { id } }", { categories: "odd" })).toMatchObject([{ cells: [] }]);
  expect(shown("{ categories { id } }", { categories: [null, 1, { id: 2 }] })).toMatchObject([
    { cells: [[2]] },
  ]);
});

test("a type that refers to itself, a union and null end where the selections end", () => {
  const schema = introspected(`
    type Query { nodes: [Node] found: [Thing!]! }
    type Node { id: ID! parent: Node children: [Node!] }
    union Thing = Node | Leaf
    type Leaf { name: String }`);
  const nodes = [{ id: "a", parent: { id: "b", parent: { id: "c" } }, children: [] }, null];
  const tree = "{ nodes { id parent { id parent { id } } children { id } } }";
  expect(shown(tree, { nodes }, schema)).toMatchObject([
    {
      headings: ["Id", "Parent id", "Parent parent", "Children"],
      cells: [["a", "b", { id: "c" }, []]],
    },
  ]);
  const things = "{ found { __typename ... on Node { id } ... on Leaf { name } } }";
  expect(shown(things, { found: [{ __typename: "Leaf", name: "x" }] }, schema)).toMatchObject([
    { headings: ["Typename", "Id", "Name"], cells: [["Leaf", null, "x"]] },
  ]);
});
