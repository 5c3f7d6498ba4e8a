import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { send, type RawRequest } from "../support/raw-http";
import { errorBody, expectRefused } from "../support/refusals";
import { everythingStored } from "../support/stored";
import { tokenFor } from "../support/tokens";

const app = useApp();
beforeAll(async () => {
  await app.make.admin({ email: "active@example.com" });
  await app.make.admin({ email: "inactive@example.com", is_active: false });
});

const post = (path: string, body: object): RawRequest => ({
  method: "POST",
  path,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const get = (path: string): RawRequest => ({ method: "GET", path });

const login = (email: string) => post("/auth/login", { email, password: "wrong" });

const badRequest = (message: string | string[]) => errorBody(400, message);

const credentials = badRequest("Invalid credentials");
const page = badRequest("Page must be greater than or equal to 1");
const pageSize = badRequest("Page size must be between 1 and 50");

clauseEach<[request: RawRequest, body: object]>(
  "7.rows",
  "each documented error has its status, message and name",
  {
    "login with an unknown e-mail": [login("nobody@example.com"), credentials],
    "login of an inactive administrator": [login("inactive@example.com"), credentials],
    "login with a wrong password": [login("active@example.com"), credentials],
    "login with an invalid body": [
      post("/auth/login", { email: "active", password: "" }),
      badRequest(["email must be an email", "password should not be empty"]),
    ],
    "page below 1": [get("/products?page=0"), page],
    "page far below 1": [get("/products?page=-5"), page],
    "pageSize below 1": [get("/products?pageSize=0"), pageSize],
    "pageSize above 50": [get("/products?pageSize=51"), pageSize],
    "a property outside the shape": [
      post("/auth/login", { email: "a@example.com", password: "x", foo: 1 }),
      badRequest(["property foo should not exist"]),
    ],
    "no JWT": [get("/orders"), errorBody(401)],
  },
  async ([request, body]) => {
    const before = await everythingStored(app);
    const answer = await send(app.url, request);
    expect(answer.text).toBe(JSON.stringify(body));
    expect(answer.status).toBe(answer.body && (answer.body as { statusCode: number }).statusCode);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(await everythingStored(app)).toEqual(before);
  },
);

clause("7.rows", "a role that is not allowed has its status, message and name", async () => {
  const editor = await app.make.admin({ role: "EDITOR" });
  const authorization = `Bearer ${tokenFor(editor, app.settings.tokens.secret)}`;
  expectRefused(
    await send(app.url, { ...get("/orders"), headers: { authorization } }),
    403,
    "Forbidden resource",
  );
});

clauseEach<RawRequest>(
  "7.rows",
  "a refused order is 400 with a list",
  {
    "no body": post("/orders", {}),
    "empty items": post("/orders", { customerEmail: "a@example.com", items: [] }),
    "a bad e-mail": post("/orders", { customerEmail: "a", items: [{ productId: 1, quantity: 1 }] }),
    "an unknown product": post("/orders", {
      customerEmail: "a@example.com",
      items: [{ productId: 1, quantity: 1 }],
    }),
  },
  async (request) => {
    const before = await everythingStored(app);
    const { status, body } = await send(app.url, request);
    expect([status, body]).toMatchObject([400, { statusCode: 400, error: "Bad Request" }]);
    expect(Object.keys(body as object)).toEqual(["statusCode", "message", "error"]);
    const { message } = body as { message: unknown[] };
    expect(message.length).toBeGreaterThan(0);
    for (const each of message) expect(each).toEqual(expect.stringMatching(/./));
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach<string>(
  "9.paths",
  "paths carry no version",
  { v1: "/v1/products", api: "/api/products", "api and v1": "/api/v1/products" },
  async (path) => {
    expect((await send(app.url, get("/products"))).status).toBe(200);
    expect((await send(app.url, get(path))).status).toBe(404);
  },
);
