import { readFileSync } from "node:fs";
import path from "node:path";
import {
  buildSchema,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  parse,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import {
  elementOf,
  fieldsOfInput,
  fieldsOfOperation,
  kindOf,
  type Field,
} from "../../src/explorer/client/inputs/fields";
import { choicesLike, referenceOf } from "../../src/explorer/client/inputs/references";

const sdl = readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8");
const schema = buildSchema(sdl);

const operationOf = (query: string): OperationDefinitionNode =>
  parse(query).definitions[0] as OperationDefinitionNode;

const fieldsOf = (query: string, from: GraphQLSchema = schema): readonly Field[] =>
  fieldsOfOperation(from, operationOf(query));

const outline = (fields: readonly Field[]) =>
  fields.map(({ label, type, isRequired }) => [label, kindOf(type), isRequired]);

const inputFields = (name: string) => fieldsOfInput(schema.getType(name) as never);

test("every variable is a field, with what the schema says of where it stands", () => {
  const fields = fieldsOf(`query Orders($filter: OrderFilter, $page: Int! = 1, $search: String!) {
    orders(filter: $filter, page: $page) { meta { total } }
    products(filter: { search: $search }) { meta { total } }
  }`);
  expect(outline(fields)).toEqual([
    ["Filter", "object", false],
    ["Page", "whole", false],
    ["Search", "text", true],
  ]);
  expect(fields.map(({ description }) => description)).toEqual([
    "Which orders.",
    "The page, from 1.",
    expect.stringMatching(/^Words in any order/),
  ]);
  expect(fields[1]).toMatchObject({ defaultText: "1" });
});

test("variables that are known already are left out", () => {
  const operation = operationOf(`mutation ($id: Int!, $input: UpdateProductInput!) {
    updateProduct(id: $id, input: $input) { id }
  }`);
  expect(fieldsOfOperation(schema, operation, ["id"]).map(({ name }) => name)).toEqual(["input"]);
});

test("fields of inputs have the kind of their type", () => {
  for (const field of [
    ["Name", "text", true],
    ["Slug", "text", false],
    ["Price", "decimal", true],
    ["Category id", "whole", true],
    ["Is active", "boolean", false],
  ])
    expect(outline(inputFields("CreateProductInput"))).toContainEqual(field);
  expect(outline(inputFields("OrderFilter"))).toContainEqual(["Placed from", "time", false]);
  expect(inputFields("ProductSort")).toMatchObject([
    { name: "field", isRequired: false, defaultText: "CREATED_AT" },
    { name: "direction", isRequired: false, defaultText: "DESC" },
  ]);
});

test("an element of a list is a field that is always there", () => {
  const [, items] = inputFields("PlaceOrderInput");
  expect(elementOf(items!, 1)).toMatchObject({ name: "item", label: "Item 2", isElement: true });
  expect(kindOf(items!.type)).toBe("list");
  expect(kindOf(elementOf(items!, 0).type)).toBe("object");
});

test("types that are not known by name take JSON, also those that the schema lacks", () => {
  const other = buildSchema(`
    scalar Tags
    input Old { a: Int @deprecated(reason: "Use b."), tags: Tags = { some: ["a"] } }
    type Query { find(tags: Tags, old: Old): Int }
  `);
  expect(outline(fieldsOf("query ($tags: [Tags!], $gone: Gone!) { find }", other))).toEqual([
    ["Tags", "list", false],
    ["Gone", "json", true],
  ]);
  expect(fieldsOfInput(other.getType("Old") as never)).toMatchObject([
    { deprecationReason: "Use b." },
    { defaultText: '{"some":["a"]}' },
  ]);
});

test("an id refers to what Query has a list of", () => {
  const named = `
    type Query {
      teas: [Tea!]!
      shops(filter: ShopFilter, page: Int): ShopPage!
      farms(of: Int!): [Farm!]!
      boxes: [Box!]!
    }
    type Tea { id: Int!, name: String! }
    type Shop { id: Int!, name: String! }
    type ShopPage { nodes: [Shop!]! }
    input ShopFilter { search: String }
    type Farm { id: Int!, name: String! }
    type Box { id: Int! }
  `;
  const other = buildSchema(named);
  expect(referenceOf(other, "teaId", GraphQLInt)).toMatchObject({
    label: "Tea",
    isSearched: false,
    query: "query Choices { choices: teas { id name } }",
  });
  expect(referenceOf(other, "shopId", GraphQLID)).toMatchObject({
    isSearched: true,
    hasIds: false,
  });
  expect(referenceOf(other, "teaId", GraphQLString)).toBeUndefined();
  for (const name of ["id", "farmId", "boxId", "unknownId", "Id", "tea"]) {
    expect([name, referenceOf(other, name, GraphQLInt)]).toEqual([name, undefined]);
  }
  expect(referenceOf(schema, "categoryId", GraphQLInt)).toMatchObject({ isSearched: false });
  const product = referenceOf(schema, "productId", GraphQLInt)!;
  expect(product).toMatchObject({ isSearched: true, hasIds: true });
  expect(() => parse(product.query)).not.toThrow();
});

test("choices are found without regard to letter case and accents, and by their id", () => {
  const choices = [
    { id: 1, name: "Maté" },
    { id: 12, name: "Green tea" },
  ];
  expect(choicesLike(choices, " MATE ")).toEqual([choices[0]]);
  expect(choicesLike(choices, "12")).toEqual([choices[1]]);
  expect(choicesLike(choices, "")).toEqual(choices);
});
