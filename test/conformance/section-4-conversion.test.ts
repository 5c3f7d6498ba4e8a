import { startApp, type TestApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { sendJson, type Answer } from "../support/raw-http";
import { everythingStored } from "../support/stored";

// Bodies are written as JSON text: what matters is the value as it stands in the request.

let app: TestApp;
let categoryId: number;
let productId: number;
beforeAll(async () => {
  app = await startApp();
  ({ id: productId, category_id: categoryId } = await app.make.product({ price: "0.00" }));
});
afterAll(() => app.close());

const order = (item: string): Promise<Answer> =>
  sendJson(app.url, "POST", "/orders", `{"customerEmail":"a@example.com","items":[${item}]}`);
const product = (fields: string): Promise<Answer> =>
  sendJson(app.url, "POST", "/products", `{"name":"Sencha",${fields}}`, {
    authorization: app.asAdmin,
  });

/** Expects a refusal whose messages all start with `field`, and nothing to be stored. */
async function expectRefused(send: () => Promise<Answer>, field: string): Promise<void> {
  const before = await everythingStored(app);
  const { status, body } = await send();
  const { message, ...rest } = body as { message: string[] };
  expect([status, rest]).toEqual([400, { statusCode: 400, error: "Bad Request" }]);
  expect(message.length).toBeGreaterThan(0);
  for (const each of message) expect(each.startsWith(`${field} `)).toBe(true);
  expect(await everythingStored(app)).toEqual(before);
}

clauseEach<[json: string, quantity: number]>(
  "4.conversion.integers",
  "an integer may arrive as a JSON integer or as a string of base-10 digits",
  {},
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
  {},
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
    await expectRefused(
      () => order(`{"productId":${productId},"quantity":${json}}`),
      "items.0.quantity",
    );
    await expectRefused(() => order(`{"productId":${json},"quantity":1}`), "items.0.productId");
    await expectRefused(() => product(`"price":1,"categoryId":${json}`), "categoryId");
  },
);

clauseEach<[json: string, price: string]>(
  "4.conversion.prices",
  "a price may arrive as decimal text or as a JSON number, with at most 2 decimals",
  {},
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
  {},
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
    await expectRefused(() => product(`"price":${json},"categoryId":${categoryId}`), "price");
  },
);

clauseEach(
  "4.conversion.booleans",
  "booleans are JSON booleans only",
  {},
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
      expectRefused(() => sendJson(app.url, method, path, body, headers), "isActive");
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
