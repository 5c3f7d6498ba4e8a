import type { GraphqlBody } from "../graphql/client";
import { useApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { sendJson, type Answer } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { storingNothing } from "../support/stored";

jest.setTimeout(60_000);

// Bodies are written as JSON text: what matters is the value as it stands in the request.

let categoryId: number;
let productId: number;
let otherId: number;
const app = useApp();
beforeAll(async () => {
  ({ id: otherId } = await app.make.product());
  ({ id: productId, category_id: categoryId } = await app.make.product({ price: "0.00" }));
});

const order = (item: string): Promise<Answer> =>
  sendJson(app.url, "POST", "/orders", `{"customerEmail":"a@example.com","items":[${item}]}`);
const product = (fields: string): Promise<Answer> =>
  sendJson(app.url, "POST", "/products", `{"name":"Sencha",${fields}}`, {
    authorization: app.asAdmin,
  });

/** Expects a refusal whose messages all start with `field`, and nothing to be stored. */
async function expectRefusedField(send: () => Promise<Answer>, field: string): Promise<void> {
  const answer = await storingNothing(app, send);
  expectRefused(answer, 400, expect.any(Array));
  const { message } = answer.body as { message: string[] };
  expect(message.length).toBeGreaterThan(0);
  for (const each of message) expect(each.startsWith(`${field} `)).toBe(true);
}

clauseEach<[json: string, quantity: number]>(
  "4.conversion.integers",
  "an integer may arrive as a JSON integer or as a string of base-10 digits",
  {
    "1": ["1", 1],
    '"2"': ['"2"', 2],
    '"007"': ['"007"', 7],
    "3.0": ["3.0", 3],
    "4e0": ["4e0", 4],
    "2147483647": ["2147483647", 2_147_483_647],
    '"2147483647"': ['"2147483647"', 2_147_483_647],
  },
  async ([json, quantity]) => {
    const { status, body } = await order(`{"productId":"${productId}","quantity":${json}}`);
    expect([status, body]).toMatchObject([201, { items: [{ productId, quantity }] }]);
  },
);

clauseEach(
  "4.conversion.integers",
  "nothing else converts to an integer",
  {
    hexadecimal: '"0x10"',
    "an exponent": '"1e3"',
    "a space before": '" 2"',
    "a space after": '"2 "',
    "a line feed after": '"2\\n"',
    "a plus sign": '"+2"',
    "a minus sign": '"-2"',
    decimals: '"2.0"',
    "an underscore": '"1_000"',
    "a comma": '"1,000"',
    "a suffix": '"2n"',
    "full-width digits": '"２"',
    "Arabic digits": '"٢"',
    "empty text": '""',
    words: '"two"',
    NaN: '"NaN"',
    Infinity: '"Infinity"',
    true: "true",
    false: "false",
    null: "null",
    "a list": "[2]",
    "a list of text": '["2"]',
    "an object": "{}",
    "2.5": "2.5",
    "0": "0",
    '"0"': '"0"',
    "-1": "-1",
    "-0": "-0",
    "1e308": "1e308",
    "1e309, which is infinite": "1e309",
    "400 digits": `"${"9".repeat(400)}"`,
  },
  async (json) => {
    await expectRefusedField(
      () => order(`{"productId":${productId},"quantity":${json}}`),
      "items.0.quantity",
    );
    await expectRefusedField(
      () => order(`{"productId":${json},"quantity":1}`),
      "items.0.productId",
    );
    await expectRefusedField(() => product(`"price":1,"categoryId":${json}`), "categoryId");
  },
);

clauseEach<[json: string, price: string]>(
  "4.conversion.prices",
  "a price may arrive as decimal text or as a JSON number, with at most 2 decimals",
  {
    '"12.5"': ['"12.5"', "12.50"],
    "12.5": ["12.5", "12.50"],
    "12.50": ["12.50", "12.50"],
    '"12"': ['"12"', "12.00"],
    '"0012.50"': ['"0012.50"', "12.50"],
    "0": ["0", "0.00"],
    "-0": ["-0", "0.00"],
    '"0.00"': ['"0.00"', "0.00"],
    "0.1": ["0.1", "0.10"],
    "1.10": ["1.10", "1.10"],
    "1.15, no binary rounding": ["1.15", "1.15"],
    "1e3 as a number": ["1e3", "1000.00"],
    '"99999999.99"': ['"99999999.99"', "99999999.99"],
    "99999999.99": ["99999999.99", "99999999.99"],
    "leading zeros to any length": [`"${"0".repeat(50)}1.00"`, "1.00"],
  },
  async ([json, price]) => {
    const { status, body } = await product(`"price":${json},"categoryId":${categoryId}`);
    expect([status, body]).toMatchObject([201, { price }]);
    const { id } = body as { id: number };
    expect(await app.sql("SELECT price FROM products WHERE id = $1", [id])).toEqual([{ price }]);
  },
);

clauseEach(
  "4.conversion.prices",
  "nothing else is a price, and nothing is rounded",
  {
    "1.005": "1.005",
    '"1.005"': '"1.005"',
    '"1.000"': '"1.000"',
    "0.001": "0.001",
    "1e-7": "1e-7",
    "99999999.991": "99999999.991",
    '"100000000.00"': '"100000000.00"',
    "100000000": "100000000",
    "1e21": "1e21",
    "1e309, which is infinite": "1e309",
    '"NaN"': '"NaN"',
    '"Infinity"': '"Infinity"',
    "-1": "-1",
    '"-1"': '"-1"',
    '"-0"': '"-0"',
    '"+1"': '"+1"',
    '"1e3"': '"1e3"',
    '"0x10"': '"0x10"',
    '"12."': '"12."',
    '".5"': '".5"',
    '"1,50"': '"1,50"',
    '"1.2.3"': '"1.2.3"',
    "a space": '" 1"',
    "a line feed": '"1\\n"',
    "a currency": '"$1"',
    "Arabic digits": '"١"',
    "empty text": '""',
    null: "null",
    true: "true",
    "a list": "[1]",
    "a list of text": '["1.00"]',
    "an object": "{}",
  },
  async (json) => {
    await expectRefusedField(() => product(`"price":${json},"categoryId":${categoryId}`), "price");
  },
);

const ZEROS = "0".repeat(40);

/** Numbers whose shortest decimal form is a price, however they are written. */
const exact: Record<string, [numeral: string, price: string]> = {
  "a third decimal that is zero": ["12.340", "12.34"],
  "an exponent": ["1.234e1", "12.34"],
  "zeros without end": [`12.34${ZEROS}`, "12.34"],
  "zeros and an exponent that takes them away": [`1234${ZEROS}e-42`, "12.34"],
  "an exponent that moves the point over zeros": [`0.${ZEROS}1234e42`, "12.34"],
  "an exponent with leading zeros": ["1.234E+0001", "12.34"],
  "the greatest price, with zeros": [`99999999.99${ZEROS}`, "99999999.99"],
  "nothing, with zeros": [`0.${ZEROS}`, "0.00"],
  "nothing, to any exponent": ["0e999999999", "0.00"],
  "minus nothing": [`-0.${ZEROS}e-999999999`, "0.00"],
  "digits that JSON.parse rounds away": ["12.340000000000000000001", "12.34"],
  "just below a price": ["12.33999999999999999999", "12.34"],
  "just above the greatest price": ["99999999.9900000000000000000001", "99999999.99"],
  "below what a double holds": ["1e-400", "0.00"],
};

/** Numbers whose shortest decimal form is no price. */
const inexact: Record<string, string> = {
  "just above nothing": "0.0000000000000000000000000000001",
  "above what a double holds": "1e400",
  "an absurd exponent": "1e999999999",
  "digits without end": `1${"234567890".repeat(500)}`,
  "decimals without end": `1.${"234567890".repeat(500)}`,
};

clauseEach(
  "4.conversion.prices",
  "a number is judged by its shortest decimal form: what is a price is taken",
  { doors: ["REST", "GraphQL"] },
  exact,
  async ([numeral, price]) => {
    const { status, body } = await product(`"price":${numeral},"categoryId":${categoryId}`);
    expect([status, body]).toMatchObject([201, { price }]);
    for (const send of Object.values(pricesInGraphql)) {
      expect((await send(numeral)).body).toMatchObject({ data: { product: { price } } });
    }
    expect(await agree(`expectedTotal: ${numeral}`, "{}")).toMatchObject({
      // The product is free, hence any total but nothing is another.
      ...(price === "0.00"
        ? { data: { order: { totalAmount: "0.00" } } }
        : { errors: [{ message: `totalAmount is 0.00, not ${price}` }] }),
    });
  },
);

clauseEach(
  "4.conversion.prices",
  "a number is judged by its shortest decimal form: what is none is refused",
  { doors: ["REST", "GraphQL"] },
  inexact,
  async (numeral) => {
    await expectRefusedField(
      () => product(`"price":${numeral},"categoryId":${categoryId}`),
      "price",
    );
    for (const send of Object.values(pricesInGraphql)) {
      const { body } = await send(numeral);
      expect(refusalIn(body)).toEqual([PRICE_FAULT]);
    }
    const variables = `{"amount":${numeral}}`;
    for (const amount of [numeral, "$amount"]) {
      const total = await agree(`expectedTotal: ${amount}`, variables);
      expect(refusalIn(total)).toEqual([PRICE_FAULT.replace("price", "expectedTotal")]);
      for (const bound of ["minPrice", "maxPrice"]) {
        const { body } = await graphql(
          `query ${declaredIn(amount)} { products(filter: { ${bound}: ${amount} }) { data { id } } }`,
          variables,
        );
        expect(refusalIn(body)).toEqual([PRICE_FAULT.replace("price", bound)]);
      }
    }
  },
);

const PRICE_FAULT =
  "price must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places";

const refusalIn = (body: unknown): unknown =>
  (body as GraphqlBody).errors?.[0]?.extensions.http.message;

/** Sends an operation with its variables as JSON text. */
const graphql = (query: string, variables = "{}"): Promise<Answer> =>
  sendJson(
    app.url,
    "POST",
    "/graphql",
    `{"query":${JSON.stringify(query)},"variables":${variables}}`,
    { authorization: app.asAdmin },
  );

/** The ways in which a price may stand in an operation. */
const pricesInGraphql: Record<string, (numeral: string) => Promise<Answer>> = {
  literal: (numeral) =>
    graphql(
      `mutation { product: updateProduct(id: ${otherId}, input: { price: ${numeral} }) { price } }`,
    ),
  variable: (numeral) =>
    graphql(
      `mutation ($price: Decimal!) { product: updateProduct(id: ${otherId}, input: { price: $price }) { price } }`,
      `{"price":${numeral}}`,
    ),
  "field of a variable": (numeral) =>
    graphql(
      `mutation ($input: UpdateProductInput!) { product: updateProduct(id: ${otherId}, input: $input) { price } }`,
      `{"input":{"price":${numeral}}}`,
    ),
  "default of a variable": (numeral) =>
    graphql(
      `mutation ($price: Decimal = ${numeral}) { product: updateProduct(id: ${otherId}, input: { price: $price }) { price } }`,
    ),
};

const declaredIn = (text: string): string => (text.includes("$") ? "($amount: Decimal)" : "");

/** Orders the free product on terms, which may use the variable $amount. */
const agree = async (terms: string, variables: string): Promise<unknown> => {
  const input = `{ customerEmail: "a@example.com", items: [{ productId: ${productId}, quantity: 1 }] }`;
  const query = `mutation ${declaredIn(terms)} { order: placeOrder(input: ${input}, ${terms}) { totalAmount } }`;
  return (await graphql(query, variables)).body;
};

clauseEach(
  "4.conversion.prices",
  "numbers other than prices are what JSON makes of them, whatever their digits",
  { doors: ["REST", "GraphQL"] },
  {
    "an integer with zeros": `2.${ZEROS}`,
    "an integer that a double rounds to": "1.99999999999999999999999",
    "an integer in an exponent": "0.002e003",
  },
  async (numeral) => {
    const { status, body } = await order(`{"productId":${productId},"quantity":${numeral}}`);
    expect([status, body]).toMatchObject([201, { items: [{ productId, quantity: 2 }] }]);
    const { body: page } = await graphql(
      `
        query ($page: Int!) {
          products(page: $page) {
            meta {
              page
            }
          }
        }
      `,
      `{"page":${numeral}}`,
    );
    expect(page).toEqual({ data: { products: { meta: { page: 2 } } } });
  },
);

clauseEach(
  "4.conversion.booleans",
  "booleans are JSON booleans only",
  {
    '"true"': '"true"',
    '"false"': '"false"',
    "1": "1",
    "0": "0",
    '""': '""',
    null: "null",
    "a list": "[true]",
    "an object": "{}",
  },
  async (json) => {
    const headers = { authorization: app.asAdmin };
    const send = (method: string, path: string, body: string) =>
      expectRefusedField(() => sendJson(app.url, method, path, body, headers), "isActive");
    await send("POST", "/categories", `{"name":"A","isActive":${json}}`);
    await send("PATCH", `/categories/${categoryId}`, `{"isActive":${json}}`);
    await send(
      "POST",
      "/products",
      `{"name":"A","price":1,"categoryId":${categoryId},"isActive":${json}}`,
    );
    await send("PATCH", `/products/${productId}/status`, `{"isActive":${json}}`);
  },
);
