import { useApp } from "../support/app";
import { clause } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { storingNothing } from "../support/stored";

let productId: number;
const app = useApp();
beforeAll(async () => {
  productId = (await app.make.product()).id;
});

const post = (path: string, body: string) =>
  sendJson(app.url, "POST", path, body, { authorization: app.asAdmin });

/** Expects the body to be refused with exactly these messages, and nothing to be stored. */
async function expectRefusedBody(path: string, body: string, messages: string[]): Promise<void> {
  expectRefused(await storingNothing(app, () => post(path, body)), 400, messages);
}

// Nested validation walks through arrays and judges nothing on the way.
test.each<[items: string, ...messages: string[]]>([
  ['[[{"productId":1,"quantity":1}]]', "items.0 must be an object"],
  ["[[[[{}]]]]", "items.0 must be an object"],
  ['["1",2]', "items.0 must be an object", "items.1 must be an object"],
  ['{"0":{},"length":1}', "items must be an array"],
])("items that are %s are refused", async (items, ...messages) => {
  const body = `{"customerEmail":"a@example.com","items":${items}}`;
  await expectRefusedBody("/orders", body, messages);
});

test("an array beside a proper item spoils the order", async () => {
  const items = `[{"productId":${productId},"quantity":1},[{"productId":1,"quantity":1}]]`;
  const body = `{"customerEmail":"a@example.com","items":${items}}`;
  await expectRefusedBody("/orders", body, ["items.1 must be an object"]);
});

test("a field that only __proto__ brings along is missing, and Object.prototype stays as it is", async () => {
  await expectRefusedBody("/categories", '{"__proto__":{"name":"Green"},"constructor":{}}', [
    "property __proto__ should not exist",
    "property constructor should not exist",
    "name must be a string",
  ]);
  expect("name" in {}).toBe(false);
});

// IsOptional would take null for absent.
test.each([
  ["/categories", { slug: null }, "slug must be a string"],
  ["/categories", { isActive: null }, "isActive must be a boolean value"],
  ["/products", { slug: null }, "slug must be a string"],
  ["/products", { isActive: null }, "isActive must be a boolean value"],
])("POST %s %j is refused", async (path, given, message) => {
  const required = path === "/products" ? { price: "1.00", categoryId: 1 } : {};
  await expectRefusedBody(path, JSON.stringify({ name: "Sencha", ...required, ...given }), [
    message,
  ]);
});

describe("bodies nested thousands deep", () => {
  const deep = "[".repeat(45_000) + "]".repeat(45_000);
  const deepObject = '{"a":'.repeat(14_000) + "1" + "}".repeat(14_000);

  test.each([
    ["/orders", `{"customerEmail":"a@example.com","items":${deep}}`],
    ["/orders", `{"customerEmail":"a@example.com","items":[${deepObject}]}`],
    ["/auth/login", `{"email":"a@example.com","password":${deep}}`],
    ["/auth/login", deepObject],
    ["/products", `{"price":${deep}}`],
    ["/categories", deep],
  ])("POST %s is refused", async (path, body) => {
    expect(body.length).toBeLessThanOrEqual(102_400);
    expectRefused(await post(path, body), 400, expect.anything());
  });
});

test("a body of many unknown properties gets no answer of its own size", async () => {
  const names = Array.from({ length: 8_000 }, (_, index) => `"a${index}":0`);
  const { status, text } = await post("/orders", `{${names.join(",")}}`);
  expect([status, text.length < 50_000]).toEqual([400, true]);
});

clause("7.malformed", "too deeply nested objects and arrays are refused", async () => {
  const TOO_DEEP = "Body must not be nested deeper than 200 levels";
  // Brackets in texts do not count, nor do those that were closed before.
  const sent = (levels: number) =>
    post(
      "/products",
      `{"[[\\"[":"${"[".repeat(300)}","a":[${"[],".repeat(300)}1],"more":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`,
    );
  expect((await sent(200)).text).toContain("property more should not exist");
  expectRefused(await sent(201), 400, TOO_DEEP);
  expectRefused(await sent(40_000), 400, TOO_DEEP);
});
