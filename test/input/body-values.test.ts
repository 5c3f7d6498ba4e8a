import { useApp } from "../support/app";
import { clause } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { storingNothing } from "../support/stored";

let productId: number;
let categoryId: number;
const app = useApp();
beforeAll(async () => {
  const product = await app.make.product();
  productId = product.id;
  categoryId = product.category_id;
});

/** Expects a refusal with one message that names the field, and nothing to be stored. */
async function expectRefusedField(
  method: string,
  path: string,
  body: string,
  field: string,
): Promise<void> {
  const headers = { authorization: app.asAdmin };
  expectRefused(
    await storingNothing(app, () => sendJson(app.url, method, path, body, headers)),
    400,
    [expect.stringMatching(new RegExp(`^${field} `))],
  );
}

const replaced = (valid: object, field: string, json: string): string =>
  JSON.stringify({ ...valid, [field]: "PLACE" }).replace('"PLACE"', () => json);

const category = { name: "Green" };
const product = () => ({ name: "Sencha", price: "1.00", categoryId });
const order = () => ({ customerEmail: "a@example.com", items: [{ productId, quantity: 1 }] });

// PostgreSQL refuses NUL and stores a lone surrogate altered; isEmail throws on one.
const unstorable = ["\\u0000", "\\ud800", "\\udfff", "\\udc00\\ud800"];

describe.each(unstorable)("text with %s is refused as", (escape) => {
  test.each<[method: string, path: string, field: string, valid: () => object, text: string]>([
    ["POST", "/auth/login", "email", () => ({ password: "x" }), `${escape}@example.com`],
    ["POST", "/auth/login", "password", () => ({ email: "a@example.com" }), `long${escape}`],
    ["POST", "/orders", "customerEmail", order, `${escape}@example.com`],
    ["POST", "/orders", "customerEmail", order, `a@${escape}.com`],
    ["POST", "/categories", "name", () => category, `Green${escape}`],
    ["POST", "/categories", "slug", () => category, `green${escape}`],
    ["PATCH", "/categories/1", "name", () => ({}), `Green${escape}`],
    ["PATCH", "/categories/1", "slug", () => ({}), `green${escape}`],
    ["POST", "/products", "name", product, `Sencha${escape}`],
    ["POST", "/products", "slug", product, `sencha${escape}`],
    ["POST", "/products", "description", product, `Fresh${escape}`],
  ])("%s %s %s", async (method, path, field, valid, text) => {
    await expectRefusedField(method, path, replaced(valid(), field, `"${text}"`), field);
  });
});

test.each(["a%00@example.com", "%ED%A0%80@example.com"])(
  "the list of orders survives the customer address %s",
  async (text) => {
    const path = `/orders?customerEmail=${text}`;
    const answer = await send(app.url, {
      method: "GET",
      path,
      headers: { authorization: app.asAdmin },
    });
    expect([200, 400]).toContain(answer.status);
  },
);

const noIntegers = ["1e308", "-1e308", "1e999", "1.5", "0", "-1", '"1e3"', '"0x10"', '" 2"', '""'];

// IsInt takes 1e308, and whatever Number() takes is no integer yet.
test.each([...noIntegers, "true", "[2]", "{}", "null", '"٢"', '"2.0"'])(
  "%s is neither a quantity nor an id",
  async (json) => {
    const [item] = order().items;
    for (const field of ["quantity", "productId"]) {
      const body = JSON.stringify({ ...order(), items: ["PLACE"] });
      const bad = replaced(item ?? {}, field, json);
      await expectRefusedItem(
        body.replace('"PLACE"', () => bad),
        field,
      );
    }
  },
);

test("a quantity beyond the database's integer is refused", async () => {
  for (const quantity of [2_147_483_648, 2 ** 53, "99999999999999999999"]) {
    await expectRefusedItem(
      JSON.stringify({ ...order(), items: [{ productId, quantity }] }),
      "quantity",
    );
  }
});

async function expectRefusedItem(body: string, field: string): Promise<void> {
  const answer = await storingNothing(app, () => sendJson(app.url, "POST", "/orders", body));
  expectRefused(answer, 400, expect.any(Array));
  const { message } = answer.body as { message: string[] };
  for (const each of message) expect(each).toMatch(new RegExp(`^items\\.0\\.${field} `));
}

// numeric(10, 2) rounds, and stores NaN.
const refusedPrices = ["1.005", '"1.005"', '"1.000"', "0.001", "1e-7", '"NaN"', '"Infinity"'];
const furtherPrices = ["-1", '"-0.01"', "100000000", '"100000000.00"', "99999999.995", "1e21"];
const formsOfPrices = [
  '"1e2"',
  '"1,50"',
  '"1."',
  '".5"',
  '""',
  '" 1"',
  '"+1"',
  "true",
  "[1]",
  "{}",
];

test.each([...refusedPrices, ...furtherPrices, ...formsOfPrices, "null", "1e999"])(
  "%s is no price",
  async (json) => {
    await expectRefusedField("POST", "/products", replaced(product(), "price", json), "price");
  },
);

test.each([
  ["1.1", "1.10"],
  ["0.07", "0.07"],
  ["1.10", "1.10"],
  ['"0"', "0.00"],
  ["99999999.99", "99999999.99"],
  ['"99999999.99"', "99999999.99"],
  ["4.35", "4.35"],
  ["8.2e0", "8.20"],
])("the price %s is stored as %s, exactly", async (json, stored) => {
  const body = replaced(product(), "price", json);
  const answer = await sendJson(app.url, "POST", "/products", body, {
    authorization: app.asAdmin,
  });
  expect([answer.status, answer.body]).toMatchObject([201, { price: stored }]);
  const { id } = answer.body as { id: number };
  expect(await app.sql("SELECT price::text FROM products WHERE id = $1", [id])).toEqual([
    { price: stored },
  ]);
});

// findByPk(NaN) is an error of the database.
test.each(["NaN", "Infinity", "null", "undefined", "1e308"])(
  "an id %s in a path is refused before the database sees it",
  async (id) => {
    for (const path of [`/products/${id}`, `/products/category/${id}`]) {
      expectRefused(
        await send(app.url, { method: "GET", path }),
        400,
        "Validation failed (numeric string is expected)",
      );
    }
  },
);

describe("objects and arrays within each other", () => {
  const TOO_DEEP = "Body must not be nested deeper than 200 levels";
  // Brackets in texts do not count, nor do those that were closed before.
  const body = (levels: number) =>
    `{"[[\\"[":"${"[".repeat(300)}","a":[${"[],".repeat(300)}1],"more":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

  clause("7.malformed", "are refused at REST where they are nested too deep", async () => {
    const sent = (levels: number) =>
      sendJson(app.url, "POST", "/products", body(levels), { authorization: app.asAdmin });
    expect((await sent(200)).text).toContain("property more should not exist");
    expectRefused(await sent(201), 400, TOO_DEEP);
    expectRefused(await sent(40_000), 400, TOO_DEEP);
  });
});

describe("long numbers, each of which is remembered as it was written", () => {
  const longNumbers = (count: number): string => `[${Array(count).fill("1e100").join()}]`;
  const TOO_MANY = "At most 500 numbers may have more than 15 digits";

  test("are refused at REST where there are more than any input has", async () => {
    const sent = (count: number) =>
      sendJson(app.url, "POST", "/products", `{"more":${longNumbers(count)}}`, {
        authorization: app.asAdmin,
      });
    expect((await sent(500)).text).toContain("property more should not exist");
    expect([(await sent(501)).status, (await sent(501)).body]).toEqual([
      400,
      { statusCode: 400, message: TOO_MANY, error: "Bad Request" },
    ]);
  });

  test("are refused at GraphQL, by POST and by GET", async () => {
    const query = "{ categories { id } }";
    const byPost = (count: number) =>
      sendJson(
        app.url,
        "POST",
        "/graphql",
        `{"query":"${query}","variables":{"more":${longNumbers(count)}}}`,
      );
    const byGet = (count: number) => {
      const variables = encodeURIComponent(`{"more":${longNumbers(count)}}`);
      const path = `/graphql?query=${encodeURIComponent(query)}&variables=${variables}`;
      return send(app.url, {
        method: "GET",
        path,
        headers: { "apollo-require-preflight": "true" },
      });
    };
    for (const by of [byPost, byGet]) {
      expect((await by(500)).body).toMatchObject({ data: { categories: expect.any(Array) } });
      expect((await by(501)).body).toMatchObject({
        errors: [{ message: TOO_MANY, extensions: { code: "BAD_USER_INPUT" } }],
      });
    }
  });
});
