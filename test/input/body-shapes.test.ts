import { useApp } from "../support/app";
import { send, sendJson } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { storingNothing } from "../support/stored";

let productId: number;
const app = useApp();
beforeAll(async () => {
  productId = (await app.make.product()).id;
});

/** Expects the body to be refused with exactly these messages, and nothing to be stored. */
async function expectRefusedBody(path: string, body: string, messages: string[]): Promise<void> {
  const headers = { authorization: app.asAdmin };
  expectRefused(
    await storingNothing(app, () => sendJson(app.url, "POST", path, body, headers)),
    400,
    messages,
  );
}

// Nested validation walks through arrays and judges nothing on the way.
test.each<[items: string, ...messages: string[]]>([
  ["[[]]", "items.0 must be an object"],
  ['[[{"productId":1,"quantity":1}]]', "items.0 must be an object"],
  ["[[[[{}]]]]", "items.0 must be an object"],
  ["[null]", "items.0 must be an object"],
  ['["1",2]', "items.0 must be an object", "items.1 must be an object"],
  ['{"0":{},"length":1}', "items must be an array"],
  ['"[]"', "items must be an array"],
  ["null", "items must be an array"],
])("items that are %s are refused", async (items, ...messages) => {
  await expectRefusedBody(
    "/orders",
    `{"customerEmail":"a@example.com","items":${items}}`,
    messages,
  );
});

test("an array beside a proper item spoils the order", async () => {
  const items = `[{"productId":${productId},"quantity":1},[{"productId":1,"quantity":1}]]`;
  await expectRefusedBody("/orders", `{"customerEmail":"a@example.com","items":${items}}`, [
    "items.1 must be an object",
  ]);
});

// Class-transformer drops these names without a word.
const inherited = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

test.each(inherited)("a property %s is refused like any other", async (name) => {
  const refusal = `property ${name} should not exist`;
  await expectRefusedBody("/categories", `{"name":"Green","${name}":{"isActive":false}}`, [
    refusal,
  ]);
  const item = `{"productId":${productId},"quantity":1,"${name}":1}`;
  await expectRefusedBody("/orders", `{"customerEmail":"a@example.com","items":[${item}]}`, [
    `items.0.${refusal}`,
  ]);
});

test("a field that only __proto__ brings along is missing", async () => {
  await expectRefusedBody("/categories", '{"__proto__":{"name":"Green"}}', [
    "property __proto__ should not exist",
    "name must be a string",
  ]);
});

test("Object.prototype stays as it is", async () => {
  await sendJson(app.url, "POST", "/orders", '{"__proto__":{"spoilt":1},"constructor":{}}');
  expect("spoilt" in {}).toBe(false);
});

// IsOptional would take null for absent.
test.each([
  ["/categories", '{"name":"Green","slug":null}', "slug must be a string"],
  ["/categories", '{"name":"Green","isActive":null}', "isActive must be a boolean value"],
  ["/products", '{"description":null}', "description must be a string"],
  ["/products", '{"slug":null}', "slug must be a string"],
  ["/products", '{"isActive":null}', "isActive must be a boolean value"],
])("POST %s %s is refused", async (path, body, message) => {
  const product = { name: "Sencha", price: "1.00", categoryId: 1 };
  const required = path === "/products" ? product : {};
  const whole = JSON.stringify({ ...required, ...JSON.parse(body) });
  await expectRefusedBody(path, whole, [message]);
});

test.each(["name", "slug", "isActive"])(
  "null for %s of a change of a category is refused",
  async (field) => {
    const { id } = await app.make.category();
    const headers = { authorization: app.asAdmin };
    expectRefused(
      await storingNothing(app, () =>
        sendJson(app.url, "PATCH", `/categories/${id}`, `{"${field}":null}`, headers),
      ),
      400,
      [expect.any(String)],
    );
  },
);

// The body of a request without one is undefined in Express 5.
test.each([
  ["POST", "/auth/login", ["email must be an email", "password should not be empty"]],
  ["POST", "/orders", ["customerEmail must be an email", "items must be an array"]],
  ["POST", "/categories", ["name must be a string"]],
  ["PATCH", "/products/1/status", ["isActive must be a boolean value"]],
])("%s %s without a body says what is missing", async (method, path, messages) => {
  const headers = { authorization: app.asAdmin };
  expectRefused(await send(app.url, { method, path, headers }), 400, messages);
});

describe("bodies nested 45,000 deep", () => {
  const deep = "[".repeat(45_000) + "]".repeat(45_000);
  const deepObject = '{"a":'.repeat(14_000) + "1" + "}".repeat(14_000);

  test.each([
    ["/orders", `{"customerEmail":"a@example.com","items":${deep}}`],
    ["/orders", `{"customerEmail":"a@example.com","items":[${deepObject}]}`],
    ["/orders", `{"customerEmail":${deep}}`],
    ["/auth/login", `{"email":"a@example.com","password":${deep}}`],
    ["/auth/login", deepObject],
    ["/categories", `{"name":${deep}}`],
    ["/products", `{"price":${deep}}`],
    ["/categories", deep],
  ])("POST %s is refused", async (path, body) => {
    expect(body.length).toBeLessThanOrEqual(102_400);
    const answer = await sendJson(app.url, "POST", path, body, { authorization: app.asAdmin });
    expectRefused(answer, 400, expect.anything());
  });
});

test("a body of many unknown properties gets no answer of its own size", async () => {
  const names = Array.from({ length: 8_000 }, (_, index) => `"a${index}":0`);
  const answer = await sendJson(app.url, "POST", "/orders", `{${names.join(",")}}`);
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(50_000);
});
