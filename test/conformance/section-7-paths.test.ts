import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { errorBody, expectRefused } from "../support/refusals";
import { everythingStored } from "../support/stored";

let productId: number;
let categoryId: number;
const app = useApp();
beforeAll(async () => {
  const product = await app.make.product();
  productId = product.id;
  categoryId = product.category_id;
});

const get = (path: string) => send(app.url, { method: "GET", path });

const asAdmin = (method: string, path: string, body?: object) =>
  sendJson(app.url, method, path, body ? JSON.stringify(body) : "", {
    authorization: app.asAdmin,
  });

const notNumeric = errorBody(400, "Validation failed (numeric string is expected)");

/** Every operation that has an id in its path, called with this one. */
const withId: Record<string, { call: (id: string) => ReturnType<typeof send>; noun: string }> = {
  "GET /products/:id": { call: (id) => get(`/products/${id}`), noun: "Product" },
  "GET /products/category/:categoryId": {
    call: (id) => get(`/products/category/${id}`),
    noun: "Category",
  },
  "PATCH /categories/:id": {
    call: (id) => asAdmin("PATCH", `/categories/${id}`, { name: "Oolong" }),
    noun: "Category",
  },
  "DELETE /categories/:id": {
    call: (id) => asAdmin("DELETE", `/categories/${id}`),
    noun: "Category",
  },
  "PATCH /products/:id/status": {
    call: (id) => asAdmin("PATCH", `/products/${id}/status`, { isActive: true }),
    noun: "Product",
  },
  "DELETE /products/:id": { call: (id) => asAdmin("DELETE", `/products/${id}`), noun: "Product" },
};

const noIds = [
  ...["abc", "1.5", "-1", "+1", "1e3", "0x1", "1,0", "1_0", "1n", "NaN", "Infinity", "null"],
  ...[
    "%00",
    "1%00",
    "%201",
    "1%20",
    "%2B1",
    "%D9%A1",
    "%EF%BC%91",
    "1%0A",
    "1%2F1",
    "%ZZ",
    "%",
    "1%",
  ],
  ...["%FF", "%C0%80", "%E4%BD", "1;2", "[1]", "$1", "1'--"],
];

clauseEach(
  "7.path-ids",
  "a path id that is not base-10 digits is refused",
  withId,
  async ({ call }) => {
    const before = await everythingStored(app);
    for (const id of noIds) {
      const { status, body } = await call(id);
      expect([id, status, body]).toEqual([id, 400, notNumeric]);
    }
    expect(await everythingStored(app)).toEqual(before);
  },
);

const unknownIds = ["0", "00", "1000000", "2147483647", "2147483648", "9223372036854775808"];

clauseEach("7.404", "an id that nothing has is not found", withId, async ({ call, noun }) => {
  const before = await everythingStored(app);
  for (const id of [...unknownIds, "99999999999999999999", "9".repeat(400)]) {
    const { status, body } = await call(id);
    expect([id, status, body]).toEqual([id, 404, errorBody(404, `${noun} not found`)]);
  }
  expect(await everythingStored(app)).toEqual(before);
});

clause("7.path-ids", "leading zeros and percent-encoded digits are digits", async () => {
  const digits = String(productId);
  const escaped = digits.replaceAll(/./g, (digit) => `%3${digit}`);
  for (const id of [digits, `00${digits}`, escaped, `0%30${digits}`]) {
    expect((await get(`/products/${id}`)).body).toMatchObject({ id: productId });
  }
  const listed = await get(`/products/category/0${categoryId}`);
  expect(listed.body).toMatchObject([{ id: productId }]);
});

clause("7.path-ids", "a path that ends before its id names something else", async () => {
  expect((await get("/products/")).body).toMatchObject({ meta: { page: 1 } });
  expect((await get("/products/category/")).body).toEqual(notNumeric);
  expectRefused(await asAdmin("DELETE", "/products/"), 404, "Cannot DELETE /products/");
});

clause(
  "7.order",
  "on protected operations ids, bodies, existence, conflicts come in turn",
  async () => {
    const taken = await app.make.category();
    const bad = { foo: 1 };
    const malformed = await sendJson(app.url, "PATCH", "/categories/abc", "{", {
      authorization: app.asAdmin,
    });
    expect(malformed.body).toMatchObject({ statusCode: 400, error: "Bad Request" });
    expect(malformed.body).not.toEqual(notNumeric);
    expect((await asAdmin("PATCH", "/categories/abc", bad)).body).toEqual(notNumeric);
    expect((await asAdmin("PATCH", "/categories/1000000", bad)).status).toBe(400);
    const unknown = await asAdmin("PATCH", "/categories/1000000", { slug: taken.slug });
    expect(unknown.body).toEqual(errorBody(404, "Category not found"));
    const conflict = await asAdmin("PATCH", `/categories/${categoryId}`, { slug: taken.slug });
    expectRefused(conflict, 409, `Slug ${taken.slug} is already taken`);
  },
);

clauseEach<[method: string, path: string, named: string]>(
  "7.unknown",
  "what no route answers is not found",
  {
    "an unknown path": ["GET", "/nope", "/nope"],
    "POST to the root": ["POST", "/", "/"],
    "a query string": ["GET", "/nope?x=1&page=0", "/nope"],
    "an encoded path": ["GET", "/n%6Fpe", "/n%6Fpe"],
    "a path that can't be decoded": ["GET", "/%ZZ", "/%ZZ"],
    markup: ["GET", "/<b>", "/<b>"],
    "upper case": ["GET", "/NOPE/", "/NOPE/"],
    "a path beyond a known one": ["GET", "/products/1/status", "/products/1/status"],
    "a double slash": ["GET", "//products", "//products"],
    POST: ["POST", "/nope", "/nope"],
    OPTIONS: ["OPTIONS", "/nope", "/nope"],
    "OPTIONS of a known path": ["OPTIONS", "/products", "/products"],
    "PUT of a known path": ["PUT", "/products", "/products"],
    "PATCH of a path without it": ["PATCH", "/products/1", "/products/1"],
    "GET of a path without it": ["GET", "/auth/login", "/auth/login"],
    "GET of one category": ["GET", "/categories/1", "/categories/1"],
    "GET of one order": ["GET", "/orders/1", "/orders/1"],
    "newsletter subscribers": ["POST", "/newsletter", "/newsletter"],
    administrators: ["GET", "/admins", "/admins"],
  },
  async ([method, path, named]) => {
    const answer = await send(app.url, { method, path });
    expectRefused(answer, 404, `Cannot ${method} ${named}`);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  },
);

clause("7.unknown", "the body of an unknown route is not judged", async () => {
  expectRefused(await sendJson(app.url, "POST", "/nope", "{"), 404, "Cannot POST /nope");
});

clause("7.paths", "letter case and a trailing slash make no other path", async () => {
  const products = await get("/products");
  for (const path of ["/Products", "/PRODUCTS/", "/products/", "/products?x=1", "/products/?x=1"]) {
    expect((await get(path)).body).toEqual(products.body);
  }
  const listed = await get(`/PRODUCTS/Category/${categoryId}/`);
  expect(listed.body).toMatchObject([{ id: productId }]);
});

clauseEach<string>(
  "7.paths",
  "HEAD answers as GET, without the body",
  {
    "a list": "/products",
    categories: "/categories",
    "bad pagination": "/products?page=0",
    "an unknown product": "/products/1000000",
    "an unknown path": "/nope",
    "the list of orders": "/orders",
  },
  async (path) => {
    const headers = { authorization: app.asAdmin };
    const read = await send(app.url, { method: "GET", path, headers });
    const head = await send(app.url, { method: "HEAD", path, headers });
    expect(head.text).toBe("");
    expect(head.status).toBe(read.status);
    expect(head.headers["content-type"]).toBe(read.headers["content-type"]);
    // The path's own name in the message makes the one difference.
    if (path !== "/nope") {
      expect(head.headers["content-length"]).toBe(read.headers["content-length"]);
    }
  },
);

clause("7.shape", "nothing tells what the service is built with", async () => {
  for (const path of ["/products", "/nope", "/products/abc"]) {
    const { headers } = await get(path);
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("server");
  }
});
