import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { unmeasured } from "../../src/vocabulary/meter";
import { admitting } from "../../src/rest/routes";
import { errorHandler } from "../../src/rest/errors";
import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { call, protectedOperations } from "../support/protected-operations";
import { send, sendBytes, type RawRequest } from "../support/raw-http";
import { errorBody, expectRefused } from "../support/refusals";
import { everythingStored } from "../support/stored";
import { tokenFor } from "../support/tokens";

let admin: { id: number; email: string; role: string };
let productId: number;
let categoryId: number;
const app = useApp();
beforeAll(async () => {
  admin = await app.make.admin();
  const product = await app.make.product();
  productId = product.id;
  categoryId = product.category_id;
});

const claiming = (claims: object): string =>
  `Bearer ${tokenFor(admin, app.settings.tokens.secret, claims)}`;

/** Expects every protected operation to answer 403, and nothing to be done. */
async function expectForbidden(authorization: string): Promise<void> {
  const before = await everythingStored(app);
  for (const [name, operation] of Object.entries(protectedOperations)) {
    const { status, body } = await call(app, operation, authorization, productId);
    expect([name, status, body]).toEqual([name, 403, errorBody(403, "Forbidden resource")]);
  }
  expect(await everythingStored(app)).toEqual(before);
}

clauseEach<unknown>(
  "7.403",
  "no protected operation takes a valid token whose role is not ADMIN",
  {
    "another role": "EDITOR",
    "the role in lower case": "admin",
    "an empty role": "",
    "a blank after the role": "ADMIN ",
    "the role in a list": ["ADMIN"],
    "a role that is null": null,
    "no role": undefined,
  },
  (role) => expectForbidden(claiming({ role })),
);

clause("7.403", "a token of ADMIN is refused once the account has another role", async () => {
  const former = await app.make.admin();
  const authorization = `Bearer ${tokenFor(former, app.settings.tokens.secret)}`;
  expect((await call(app, protectedOperations["GET /orders"]!, authorization)).status).toBe(200);
  await app.sql("UPDATE admins SET role = 'EDITOR' WHERE id = $1", [former.id]);
  await expectForbidden(authorization);
});

clause("5.5", "signature, role claim, account and its role are judged in this order", async () => {
  const operation = protectedOperations["GET /orders"]!;
  const inactive = await app.make.admin({ is_active: false, role: "EDITOR" });
  const { secret } = app.settings.tokens;
  const judged = async (authorization: string) =>
    (await call(app, operation, authorization)).status;
  const forged = "another secret of 32 characters...";
  expect(await judged(`Bearer ${tokenFor(inactive, forged)}`)).toBe(401);
  expect(await judged(`Bearer ${tokenFor(inactive, secret, { exp: 1 })}`)).toBe(401);
  expect(await judged(`Bearer ${tokenFor(inactive, secret)}`)).toBe(403);
  expect(await judged(`Bearer ${tokenFor(inactive, secret, { role: "ADMIN" })}`)).toBe(401);
  expect(await judged(claiming({ role: "EDITOR", id: undefined, sub: undefined }))).toBe(403);
});

const json = { "content-type": "application/json" };
const worse: Record<string, RawRequest> = {
  "a malformed body": { method: "POST", path: "/categories", headers: json, body: "{" },
  "a body that is no object": { method: "POST", path: "/products", headers: json, body: "[]" },
  "a body above the limit": {
    method: "POST",
    path: "/products",
    headers: json,
    body: " ".repeat(102_401),
  },
  "a body of another media type": {
    method: "PATCH",
    path: "/categories/1",
    headers: { "content-type": "text/plain" },
    body: "x",
  },
  "a body in an unknown encoding": {
    method: "PATCH",
    path: "/products/1/status",
    headers: { ...json, "content-encoding": "zip" },
    body: "x",
  },
  "an invalid body": { method: "POST", path: "/categories", headers: json, body: '{"foo":1}' },
  "a bad id": { method: "DELETE", path: "/products/abc" },
  "an id that can't be decoded": { method: "DELETE", path: "/categories/%ZZ" },
  "an id of invalid UTF-8": {
    method: "PATCH",
    path: "/products/%FF/status",
    headers: json,
    body: "{}",
  },
  "an id of nothing": { method: "DELETE", path: "/products/2000000000" },
  "an id beyond any": { method: "PATCH", path: "/categories/99999999999999999999" },
  "bad pagination": { method: "GET", path: "/orders?page=0" },
};

clauseEach("7.precedence", "401 comes before whatever else is wrong", worse, async (request) => {
  const answer = await send(app.url, request);
  expectRefused(answer, 401);
  const headers = { ...request.headers, authorization: claiming({ exp: 1, role: "EDITOR" }) };
  const expired = await send(app.url, { ...request, headers });
  expectRefused(expired, 401);
});

clauseEach("7.precedence", "403 comes before whatever else is wrong", worse, async (request) => {
  const headers = { ...request.headers, authorization: claiming({ role: "EDITOR" }) };
  const answer = await send(app.url, { ...request, headers });
  expectRefused(answer, 403, "Forbidden resource");
});

clauseEach(
  "5.5",
  "nothing of a body is read before the token is accepted",
  {
    "no token": (): string | undefined => undefined,
    "a role that is not allowed": () => claiming({ role: "EDITOR" }),
  },
  async (authorizationOf) => {
    const authorization = authorizationOf();
    const head = [
      "POST /categories HTTP/1.1",
      "Host: shop",
      "Content-Type: application/json",
      "Content-Length: 100000",
      ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    ];
    // No byte of the body follows, and yet the answer comes.
    const answer = await sendBytes(app.url, `${head.join("\r\n")}\r\n\r\n`);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${authorization === undefined ? 401 : 403}`);
  },
);

const variants: Record<string, { method: string; path: string }> = {
  "upper case": { method: "POST", path: "/CATEGORIES" },
  "a trailing slash": { method: "POST", path: "/products/" },
  "upper case and a trailing slash": { method: "POST", path: "/CATEGORIES/" },
  "mixed case before an id": { method: "DELETE", path: "/Products/1" },
  "mixed case after an id": { method: "PATCH", path: "/Products/1/STATUS/" },
  "a trailing slash after an id": { method: "PATCH", path: "/categories/1/" },
  "escaped letters": { method: "DELETE", path: "/%63ategories/1" },
  "a query string": { method: "DELETE", path: "/categories/1?x=1" },
  "orders in upper case": { method: "GET", path: "/ORDERS/" },
  "HEAD of the orders": { method: "HEAD", path: "/orders" },
  "HEAD of the orders in upper case": { method: "HEAD", path: "/Orders/?page=1" },
  "an absolute address": { method: "GET", path: "http://shop/orders" },
};

clauseEach("5.4", "guards hold for every spelling of a path", variants, async (request) => {
  const before = await everythingStored(app);
  const { status } = await send(app.url, request);
  // A spelling that names nothing is as good as guarded.
  expect(request.path.includes("%") ? [401, 404] : [401]).toContain(status);
  expect(await everythingStored(app)).toEqual(before);
});

clauseEach(
  "5.8",
  "public operations need no credentials and ignore bad ones",
  {
    "GET /categories": () => ({ method: "GET", path: "/categories" }),
    "GET /products": () => ({ method: "GET", path: "/products" }),
    "GET /products/:id": () => ({ method: "GET", path: `/products/${productId}` }),
    "GET /products/category/:categoryId": () => ({
      method: "GET",
      path: `/products/category/${categoryId}`,
    }),
    "POST /auth/login": () => ({
      method: "POST",
      path: "/auth/login",
      body: JSON.stringify({ email: admin.email, password: "correct horse battery" }),
    }),
    "POST /orders": () => ({
      method: "POST",
      path: "/orders",
      body: JSON.stringify({ customerEmail: "a@b.co", items: [{ productId, quantity: 1 }] }),
    }),
  },
  async (requestOf: () => RawRequest) => {
    const request = requestOf();
    const authorizations = [undefined, "Bearer garbage", "Basic eDp5", claiming({ exp: 1 })];
    for (const authorization of [...authorizations, claiming({ role: "EDITOR" })]) {
      const headers = { ...json, ...(authorization !== undefined && { authorization }) };
      const { status } = await send(app.url, { ...request, headers });
      expect([200, 201]).toContain(status);
    }
  },
);

/** Serves one guarded route, and calls it under tokens of accounts with these roles. */
async function statusesBehind(allowed: string[], roles: unknown[]): Promise<number[]> {
  const guarded = express();
  const admit = admitting("orders", app.shop.services, allowed);
  guarded.get("/guarded", admit, (_request, response) => {
    response.json({});
  });
  guarded.use(errorHandler({ report: () => undefined, meter: unmeasured }));
  const server = createServer(guarded);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await Promise.all(
      roles.map(async (role) => {
        const account = await app.make.admin(typeof role === "string" ? { role } : {});
        const token = tokenFor(account, app.settings.tokens.secret, { role });
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${url}/guarded`, { headers })).status;
      }),
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

clause("5.6", "any one of several roles is enough", async () => {
  const statuses = await statusesBehind(["ADMIN", "EDITOR"], ["ADMIN", "EDITOR", "PACKER", ""]);
  expect(statuses).toEqual([200, 200, 403, 403]);
});

clause("5.6", "an operation without roles admits any valid token", async () => {
  const roles = ["ADMIN", "PACKER", "", undefined, 7, ["ADMIN"]];
  expect(await statusesBehind([], roles)).toEqual([200, 200, 200, 401, 401, 401]);
});

clause("5.5", "the account is attached to the request as it is now", async () => {
  const principal = await app.shop.services.authentication.authorize(
    tokenFor(admin, app.settings.tokens.secret, { email: "former@example.com" }),
    [],
  );
  expect(principal).toEqual({ id: admin.id, email: admin.email, role: "ADMIN" });
});

clause("5.7", "ADMIN is the role that an account has by default", async () => {
  const [stored] = await app.sql("SELECT role FROM admins WHERE id = $1", [admin.id]);
  expect(stored).toEqual({ role: "ADMIN" });
});
