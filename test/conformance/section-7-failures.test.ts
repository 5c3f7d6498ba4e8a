import { startApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { administrate, endConnections } from "../support/database";
import { call, protectedOperations } from "../support/protected-operations";
import { send, sendJson, type Answer } from "../support/raw-http";
import { errorBody, expectRefused } from "../support/refusals";

const get = (app: TestApp, path: string): Promise<Answer> => send(app.url, { method: "GET", path });

describe("with a database that lacks a table", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    await app.sql("DROP TABLE products CASCADE");
  });
  afterAll(() => app.close());

  clauseEach<(app: TestApp) => Promise<Answer>>(
    "7.500",
    "an unexpected failure tells nothing of its cause",
    {
      "GET /products": () => get(app, "/products"),
      "GET /products/:id": () => get(app, "/products/1"),
      "GET /products/category/:categoryId": () => get(app, "/products/category/1"),
      "POST /orders": () =>
        sendJson(
          app.url,
          "POST",
          "/orders",
          JSON.stringify({
            customerEmail: "a@example.com",
            items: [{ productId: 1, quantity: 1 }],
          }),
        ),
      "DELETE /products/:id": () =>
        call(app, protectedOperations["DELETE /products/:id"]!, app.asAdmin),
      "PATCH /products/:id/status": () =>
        call(app, protectedOperations["PATCH /products/:id/status"]!, app.asAdmin),
    },
    async (request) => {
      const logged = app.log.length;
      const { status, text } = await request(app);
      const body = errorBody(500);
      expect([status, text]).toEqual([500, JSON.stringify(body)]);
      const entries = app.log.slice(logged).join("");
      expect(entries).toContain('relation \\"products\\" does not exist');
    },
  );

  clause("7.500", "what does not need the table still works", async () => {
    expect((await get(app, "/categories")).status).toBe(200);
  });
});

describe("with a database that is away", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    // Connections are open when the database goes.
    await Promise.all(Array.from({ length: 8 }, () => get(app, "/products")));
    await administrate(`ALTER DATABASE ${app.database.name} ALLOW_CONNECTIONS false`);
    await endConnections(app.database);
  });
  afterAll(() => app.close());

  const requests: Record<string, () => Promise<Answer>> = {
    "GET /categories": () => get(app, "/categories"),
    "GET /products": () => get(app, "/products"),
    "GET /products/:id": () => get(app, "/products/1"),
    "GET /products/category/:categoryId": () => get(app, "/products/category/1"),
    "POST /auth/login": () =>
      sendJson(app.url, "POST", "/auth/login", '{"email":"a@example.com","password":"x"}'),
    "POST /orders": () =>
      sendJson(
        app.url,
        "POST",
        "/orders",
        '{"customerEmail":"a@example.com","items":[{"productId":1,"quantity":1}]}',
      ),
    ...Object.fromEntries(
      Object.entries(protectedOperations).map(([name, operation]) => [
        name,
        () => call(app, operation, app.asAdmin),
      ]),
    ),
  };

  clauseEach("7.503", "what needs the database asks to come again", requests, async (request) => {
    const answer = await request();
    expectRefused(answer, 503);
    expect(answer.headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
  });

  clause("7.503", "many requests at once are all answered 503, never 500", async () => {
    const all = Object.values(requests).flatMap((request) => [request(), request(), request()]);
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([503]));
  });

  clause("7.503", "what can be judged without the database still is", async () => {
    expect((await get(app, "/products?page=0")).status).toBe(400);
    expect((await get(app, "/nope")).status).toBe(404);
    expect((await call(app, protectedOperations["GET /orders"]!, undefined)).status).toBe(401);
  });

  clause(
    "11.health",
    "the process is alive but not ready, and all is well afterwards",
    async () => {
      expect((await get(app, "/health/live")).status).toBe(200);
      expect((await get(app, "/health/ready")).status).toBe(503);
      await administrate(`ALTER DATABASE ${app.database.name} ALLOW_CONNECTIONS true`);
      expect((await get(app, "/health/ready")).status).toBe(200);
      expect((await get(app, "/products")).status).toBe(200);
      expect((await call(app, protectedOperations["GET /orders"]!, app.asAdmin)).status).toBe(200);
    },
  );
});
