import { readFileSync } from "node:fs";
import path from "node:path";
import { buildSchema, getVariableValues, parse, type OperationDefinitionNode } from "graphql";
import { assignFaults, faultsOfNoField } from "../../src/explorer/client/inputs/faults";
import type { Answer } from "../../src/explorer/client/service";

const sdl = readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8");
const schema = buildSchema(sdl);

const operationOf = (query: string): OperationDefinitionNode =>
  parse(query).definitions[0] as OperationDefinitionNode;

const placeOrder = operationOf(`mutation ($input: PlaceOrderInput!, $key: String) {
  placeOrder(input: $input, idempotencyKey: $key) { id }
}`);
const changePrice = operationOf(`mutation ($id: Int!, $to: Decimal!) {
  updateProduct(id: $id, input: { price: $to }) { id }
}`);
const orders = operationOf(`query ($filter: OrderFilter, $page: Int, $pageSize: Int) {
  orders(filter: $filter, page: $page, pageSize: $pageSize) { meta { total } }
}`);
const newProduct = operationOf(`mutation ($input: CreateProductInput!) {
  createProduct(input: $input) { id }
}`);

const refusal = (...message: string[]): Answer => ({
  errors: [{ message: "Bad", extensions: { code: "BAD_USER_INPUT", http: { message } } }],
});

const assigned = (answer: Answer, operation: OperationDefinitionNode, hidden?: string[]) => {
  const { byField, rest } = assignFaults(answer, schema, operation, hidden);
  return { ...Object.fromEntries(byField), rest };
};

test("messages of a validation stand beside the fields that they name", () => {
  const answer = refusal(
    "customerEmail must be an email",
    "items.1.quantity must not be less than 1",
    "items.1.productId 5 occurs more than once",
    "items.1.quantity must be an integer number",
    "items must contain at least 1 elements",
    "idempotencyKey must be visible ASCII",
    "Product 5 not found",
  );
  expect(assigned(answer, placeOrder)).toEqual({
    "input.customerEmail": ["This is not an e-mail address."],
    "input.items.1.quantity": ["This must be at least 1.", "This is not a whole number."],
    "input.items.1.productId": ["5 occurs more than once"],
    "input.items": ["Must contain at least 1 elements"],
    key: ["Must be visible ASCII"],
    rest: ["Product 5 not found"],
  });
});

test("a variable within an input is found by the field that it stands for", () => {
  const answer = refusal("price must be a decimal", "id is odd", "input.price is too high");
  expect(assigned(answer, changePrice)).toEqual({
    to: ["Must be a decimal", "Is too high"],
    id: ["Is odd"],
    rest: [],
  });
});

test("messages that name a field in words are found", () => {
  const page = refusal("Page must be greater than or equal to 1");
  expect(assigned(page, orders)).toEqual({
    page: ["Page must be greater than or equal to 1"],
    rest: [],
  });
  const size = refusal("Page size must be between 1 and 50");
  expect(assigned(size, orders)).toEqual({
    pageSize: ["Page size must be between 1 and 50"],
    rest: [],
  });
  expect(assigned(refusal("Slug green-tea is already taken"), newProduct)).toEqual({
    "input.slug": ["Slug green-tea is already taken"],
    rest: [],
  });
});

test("what is not of the form is left over", () => {
  const answer = refusal("property colour should not exist", "id is odd", "Conflict", "");
  expect(assigned(answer, changePrice, ["id"])).toEqual({
    rest: ["property colour should not exist", "id is odd", "Conflict", ""],
  });
  expect(faultsOfNoField(answer, schema, changePrice)).not.toContain("id is odd");
  expect(faultsOfNoField(undefined, schema, changePrice)).toEqual([]);
  const other = refusal("items.1.colour is odd");
  expect(assigned(other, placeOrder)).toEqual({
    "input.items.1": ["items.1.colour is odd"],
    rest: [],
  });
});

test("what GraphQL finds wrong with variables stands beside their fields", () => {
  const refused = (operation: OperationDefinitionNode, variables: object) => {
    const { errors = [] } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      variables as Record<string, unknown>,
    );
    return assigned({ errors: errors.map((error) => error.toJSON()) }, operation);
  };
  const items = [{ productId: 1, quantity: "two" }, { productId: 2 }];
  const customerEmail = 'a; b at "input.items';
  expect(refused(placeOrder, { input: { customerEmail, items } })).toEqual({
    "input.items.0.quantity": ["This is not a whole number."],
    "input.items.1.quantity": ["This must be filled in."],
    rest: [],
  });
  expect(refused(placeOrder, { input: { customerEmail: 5, items: [], colour: "red" } })).toEqual({
    "input.customerEmail": ["String cannot represent a non string value: 5"],
    input: ['Field "colour" is not defined by type "PlaceOrderInput".'],
    rest: [],
  });
  expect(refused(changePrice, { id: "a; b", to: null })).toEqual({
    id: ["This is not a whole number."],
    to: ["This must be filled in."],
    rest: [],
  });
  expect(refused(changePrice, { id: 1 })).toEqual({ to: ["This must be filled in."], rest: [] });
});
