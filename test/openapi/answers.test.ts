import { startReplica, useApp } from "../support/app";
import { clause } from "../support/clause";
import { expectDocumented, type Exchange } from "../support/documented";
import { send } from "../support/raw-http";

let products: Exchange;
let product: Exchange;
let nowhere: Exchange;
let preflight: Exchange;

const exchange = async (method: string, path: string): Promise<Exchange> => {
  const { status, headers, text } = await send(app.url, { method, path });
  return { method, path, status, headers, text };
};

const app = useApp();
beforeAll(async () => {
  const { id } = await app.make.product();
  products = await exchange("GET", "/products");
  product = await exchange("GET", `/products/${id}`);
  nowhere = await exchange("PUT", "/products");
  const open = await startReplica(app, { http: { corsOrigins: ["https://shop.example.com"] } });
  try {
    const request = { method: "OPTIONS", path: "/orders" };
    const headers = {
      origin: "https://shop.example.com",
      "access-control-request-method": "POST",
    };
    preflight = { ...request, ...(await send(open.url, { ...request, headers })) };
  } finally {
    await open.close();
  }
});

const withBody = (of: Exchange, change: (body: never) => object): Exchange => ({
  ...of,
  text: JSON.stringify(change(JSON.parse(of.text) as never)),
});
const withHeaders = (of: Exchange, headers: Exchange["headers"]): Exchange => ({
  ...of,
  headers: { ...of.headers, ...headers },
});

clause("9.openapi.answers", "answers as they are pass the check of the document", () => {
  expect(product.text).toContain("price");
  expect([nowhere.status, preflight.status]).toEqual([404, 204]);
  for (const each of [products, product, nowhere, preflight])
    expect(() => expectDocumented(each)).not.toThrow();
});

test.each<[label: string, planted: () => Exchange, message: string]>([
  [
    "a property more",
    () => withBody(product, (body: object) => ({ ...body, cost: "1.00" })),
    "additional properties",
  ],
  [
    "a property less",
    () => withBody(product, ({ price: _, ...body }: { price: string }) => body),
    "required property 'price'",
  ],
  ["a status", () => ({ ...product, status: 418 }), "the status is not documented"],
  ["a header", () => withHeaders(product, { "x-cost": "1" }), "x-cost is not documented"],
  [
    "no header of the policy",
    () => withHeaders(product, { "x-frame-options": undefined }),
    "x-frame-options is missing",
  ],
  [
    "a success where there is no operation",
    () => ({ ...nowhere, status: 200 }),
    "PUT /products 200 is not as openapi.yaml says: the status is not documented",
  ],
  ["a body where there is none", () => ({ ...product, status: 304 }), "a body is not documented"],
])("%s is noticed", (_label, planted, message) => {
  expect(() => expectDocumented(planted())).toThrow(message);
});

describe("what the clients of the tests receive is checked", () => {
  const refused = /GET \/categories.* is not as openapi\.yaml says: .*id must be integer/;

  beforeAll(() => {
    const text =
      '{"id":"1","name":"Tea","slug":"tea","isActive":true,"createdAt":"2026-01-31T09:30:00Z"}';
    const { categories } = app.shop.services;
    const list = { text: () => Promise.resolve(`[${text}]`), send: () => Promise.resolve() };
    jest.spyOn(categories, "whole").mockReturnValue(list);
  });
  afterAll(() => jest.restoreAllMocks());

  test("by app.http", () => expect(app.http.get("/categories")).rejects.toThrow(refused));

  test("by send", () =>
    expect(send(app.url, { method: "GET", path: "/categories" })).rejects.toThrow(refused));
});
