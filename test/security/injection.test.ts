/** @check */

import type { GraphqlBody } from "../graphql/client";
import { useApp } from "../support/app";
import { eachOf } from "../support/each-of";
import { send, sendBytes, sendJson } from "../support/raw-http";
import { everythingStored, storingNothing } from "../support/stored";
import { hostileJson, hostileTexts, unstorableTexts } from "./payloads";

jest.setTimeout(60_000);

// The product, its category and the order have the id 1.
const app = useApp();
beforeAll(async () => {
  const product = await app.make.product({ name: "Sencha", description: "Green, steamed." });
  const order = await app.make.order();
  expect([product.id, product.category_id, order.id]).toEqual([1, 1, 1]);
});
afterEach(() => {
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const quoted = [...hostileTexts, ...unstorableTexts].map((text) => JSON.stringify(text));
/** Some of the texts are good slugs. */
const slugs = /^"[a-z]{1,120}"$/;

const post = (method: string, path: string, body: string, headers: object = {}) =>
  sendJson(app.url, method, path, body, { authorization: app.asAdmin, ...headers });

describe("at REST", () => {
  test.each([
    ["GET", "/products/:id", ""],
    ["GET", "/products/category/:id", ""],
    ["PATCH", "/categories/:id", '{"name":"x"}'],
    ["DELETE", "/categories/:id", ""],
    ["PATCH", "/products/:id/status", '{"isActive":false}'],
    ["DELETE", "/products/:id", ""],
  ])("hostile ids in the path of %s %s", (method, path, body) => {
    const encoded = hostileTexts.map((text) => encodeURIComponent(text));
    const plain = hostileTexts.filter((text) => /^[!-~]+$/.test(text) && !/[?#]/.test(text));
    const ids = [...encoded, ...plain, "%00", "%FF", "%", "%u0027", "1%00", "1;1"];
    return storingNothing(app, () =>
      eachOf(ids, async (text) => {
        const { status } = await send(app.url, {
          method,
          path: path.replace(":id", text),
          headers: { authorization: app.asAdmin, "content-type": "application/json" },
          ...(body !== "" && { body }),
        });
        expect([text, [400, 404].includes(status)]).toEqual([text, true]);
      }),
    );
  });

  test.each(["page", "pageSize", "status", "customerEmail"])(
    "hostile values of the query's %s",
    (name) => {
      const values = [...hostileTexts.map((text) => encodeURIComponent(text)), "%00", "%FF", "%"];
      const queries = [
        ...values.map((value) => `${name}=${value}`),
        ...["[$ne]", "[Op.ne]", "[__proto__][polluted]", "[]", `=1&${name}`].map(
          (key) => `${name}${key}=1`,
        ),
      ];
      // An address that nobody has is a filter that nothing passes.
      const none = { data: [], meta: { total: 0, page: 1, pageSize: 10, totalPages: 0 } };
      return storingNothing(app, () =>
        eachOf(queries, async (query) => {
          const headers = { authorization: app.asAdmin };
          const path = `/orders?${query}`;
          const { status, body } = await send(app.url, { method: "GET", path, headers });
          if (status === 200) expect([name, body]).toEqual(["customerEmail", none]);
          else expect([query, status]).toEqual([query, 400]);
        }),
      );
    },
  );

  test("query parameters of other names do nothing", async () => {
    const plain = await send(app.url, { method: "GET", path: "/products" });
    for (const name of ["__proto__[polluted]", "constructor", "where", "order", "$where", "'"]) {
      const path = `/products?${encodeURIComponent(name)}=1&${name.replaceAll("'", "")}=x`;
      const { status, body } = await send(app.url, { method: "GET", path });
      expect([status, body]).toEqual([200, plain.body]);
    }
  });

  test.each(["Idempotency-Key", "Expected-Total", "X-Request-Id", "Authorization", "Accept"])(
    "hostile values of the header %s",
    async (name) => {
      const order = '{"customerEmail":"mina@example.com","items":[{"productId":1,"quantity":1}]}';
      const { orders: _, order_items: __, ...rest } = await everythingStored(app);
      for (const text of hostileTexts.filter((each) => !/[\r\n]/.test(each))) {
        const bytes = Buffer.from(text).toString("latin1");
        const value = bytes.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "");
        const { status } = await sendJson(app.url, "POST", "/orders", order, { [name]: value });
        expect([name, text, status < 500]).toEqual([name, text, true]);
      }
      const { orders: ___, order_items: ____, ...after } = await everythingStored(app);
      expect(after).toEqual(rest);
      const wrong = await app.sql(
        `SELECT o.id FROM orders o LEFT JOIN order_items i ON i.order_id = o.id
         WHERE o.id <> 1 AND (total_amount <> 10 OR unit_price IS NULL OR status <> 'PENDING')`,
      );
      expect(wrong).toEqual([]);
    },
  );

  test("no request splits into two, and no answer gets a header of the client's", async () => {
    const requests = [
      "GET /products/1%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: shop",
      "GET /products HTTP/1.1\r\nHost: shop\r\nX-Request-Id: a%0d%0aSet-Cookie: a=b",
      "GET /products HTTP/1.1\r\nHost: shop\r\nOrigin: http://a%0d%0aSet-Cookie: a=b",
      "GET /products HTTP/1.1\r\nHost: shop\r\nX-Request-Id: a\rSet-Cookie: a=b",
      "POST /orders HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
      "POST /orders HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\nContent-Length: 3",
      "POST /orders HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked, identity",
    ];
    for (const request of requests) {
      const answer = await sendBytes(app.url, `${request}\r\n\r\n{}`);
      expect([request, answer.slice(0, 9)]).toEqual([request, "HTTP/1.1 "]);
      expect(answer.split("\r\n\r\n")[0]).not.toMatch(/^set-cookie/im);
      expect(answer.match(/^HTTP\/1\.1 /gm)?.length).toBe(1);
      expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
    }
  });
});

describe("at GraphQL", () => {
  // Those that are named by hostile texts would be found.
  beforeAll(() => app.sql("DELETE FROM products WHERE id > 1"));

  /** The status of a document whose one variable has this value, as JSON text: that of REST. */
  const run = async (query: string, value: string) => {
    // As text: JSON.stringify would lose members of some names.
    const request = `{"query":${JSON.stringify(query)},"variables":{"value":${value}}}`;
    const { status, body } = await post("POST", "/graphql", request);
    const { data, errors } = body as GraphqlBody<{ it?: { data?: []; edges?: [] } | null } | null>;
    return { status: errors?.[0]?.extensions.http.statusCode ?? status, it: data?.it };
  };
  const products = (filter: string) => `it: products(filter: { ${filter} }) { data { id } }`;
  const orders = (filter: string) => `it: orders(filter: { ${filter} }) { data { id } }`;
  const placing = (items: string, terms = "") =>
    `it: placeOrder(input: { customerEmail: "mina@example.com", items: ${items} }${terms}) { id }`;

  test.each([
    ["String", products("search: $value")],
    ["String", products("categorySlug: $value")],
    ["Decimal", products("minPrice: $value")],
    ["String", orders("customerEmail: $value")],
    ["DateTime", orders("placedFrom: $value")],
    ["OrderStatus", orders("status: $value")],
    ["String", "it: category(slug: $value) { id }"],
    ["String", "it: product(slug: $value) { id }"],
    ["String", "it: productsConnection(after: $value) { edges { node { id } } }"],
    ["String", "it: ordersConnection(after: $value) { edges { node { id } } }"],
    ["ProductSortField!", "it: products(sort: { field: $value }) { data { id } }"],
    ["Int!", "it: products(page: $value) { data { id } }"],
    ["String!", "it: customerData(email: $value) { orders }"],
    ["Int!", "it: order(id: $value) { id }"],
  ])("a read with a %s takes hostile values for what they are: %s", (type, field) =>
    storingNothing(app, async () => {
      const query = `query ($value: ${type}) { ${field} }`;
      await eachOf(quoted, async (text) => {
        const { status, it } = await run(query, text);
        expect([text, [200, 400].includes(status)]).toEqual([text, true]);
        expect([text, it?.data ?? it?.edges ?? []]).toEqual([text, []]);
      });
      await eachOf(hostileJson, async (value) => {
        expect([value, (await run(query, value)).status < 500]).toEqual([value, true]);
      });
    }),
  );

  const item = "[{ productId: 1, quantity: 1 }]";
  test.each<[type: string, field: string, taken?: string[]]>([
    ["String!", 'it: login(input: { email: $value, password: "guess" }) { accessToken }'],
    [
      "String!",
      'it: login(input: { email: "nobody@example.com", password: $value }) { accessToken }',
    ],
    [
      "String!",
      'it: changePassword(currentPassword: $value, newPassword: "another horse") { accessToken }',
    ],
    [
      "String!",
      'it: changePassword(currentPassword: "guess", newPassword: $value) { accessToken }',
    ],
    ["String!", `it: placeOrder(input: { customerEmail: $value, items: ${item} }) { id }`],
    ["[OrderItemInput!]!", placing("$value")],
    ["Int!", placing("[{ productId: $value, quantity: 1 }]")],
    ["Decimal", placing(item, ", expectedTotal: $value"), ["null"]],
    ["String!", "it: subscribeToNewsletter(email: $value)"],
    ["String!", "it: unsubscribeFromNewsletter(email: $value)"],
    ["String", 'it: createCategory(input: { name: "Oolong", slug: $value }) { id }', ["null"]],
    ["String", "it: updateProduct(id: 1, input: { slug: $value }) { id }"],
    ["Decimal", "it: updateProduct(id: 1, input: { price: $value }) { id }", ["1.5", "-0"]],
    ["Int!", "it: deleteProduct(id: $value) { id }"],
    ["OrderStatus!", "it: setOrderStatus(id: 1, status: $value) { id }"],
    ["Boolean!", "it: setProductStatus(id: 1, isActive: $value) { id }", ["true"]],
    ["CreateCategoryInput!", "it: createCategory(input: $value) { id }"],
    ["UpdateProductInput!", "it: updateProduct(id: 1, input: $value) { id }", ["{}"]],
    ["PlaceOrderInput!", "it: placeOrder(input: $value) { id }"],
  ])("a write with a %s refuses hostile values: %s", (type, field, taken = []) =>
    storingNothing(app, async () => {
      const query = `mutation ($value: ${type}) { ${field} }`;
      const texts = quoted.filter((text) => !/slug:/.test(field) || !slugs.test(text));
      await eachOf(texts, async (text) => {
        expect([text, (await run(query, text)).status]).toEqual([text, 400]);
      });
      const values = hostileJson.filter((value) => !taken.includes(value));
      await eachOf(values, async (value) => {
        const { status } = await run(query, value);
        expect([value, [400, 404, 409].includes(status)]).toEqual([value, true]);
      });
    }),
  );

  test("a document is no place to inject either", () =>
    storingNothing(app, () =>
      eachOf(hostileTexts, async (text) => {
        const filtered = `{ products(filter: { ${text}: 1 }) { data { id } } }`;
        for (const query of [text, `{ ${text} }`, filtered]) {
          expect([text, (await run(query, "1")).status]).toEqual([text, 400]);
        }
      }),
    ));

  test.each(["__proto__", "constructor", "toString", "__typename", "'"])(
    "%s as the name of an operation or a variable does nothing",
    async (name) => {
      const body = `{"query":"query a { categories { id } }","operationName":"${name}","variables":{"${name}":1}}`;
      const { status, text } = await sendJson(app.url, "POST", "/graphql", body);
      expect([status < 500, text.includes("INTERNAL_SERVER_ERROR")]).toEqual([true, false]);
    },
  );
});
