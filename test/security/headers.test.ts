import { randomUUID } from "node:crypto";
import { startApp, startReplica, useApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { searchLog } from "../support/log-lines";
import { send, sendJson, type Answer, type RawRequest } from "../support/raw-http";
import { PASSWORD } from "../support/factories";

jest.setTimeout(60_000);

let order: string;
let email: string;
const app = useApp({ http: { corsOrigins: [] } });
beforeAll(async () => {
  const { id } = await app.make.product();
  order = JSON.stringify({
    customerEmail: "mina@example.com",
    items: [{ productId: id, quantity: 1 }],
  });
  ({ email } = await app.make.admin());
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(app.url, { method: "GET", path, headers });

/** Every kind of answer, with its status. */
const answers: Record<string, [number, () => Promise<Answer>]> = {
  "a list": [200, () => get("/products")],
  "a creation": [201, () => sendJson(app.url, "POST", "/orders", order)],
  "invalid input": [400, () => sendJson(app.url, "POST", "/orders", "{}")],
  "malformed JSON": [400, () => sendJson(app.url, "POST", "/orders", "{")],
  "no token": [401, () => get("/orders")],
  "an unknown thing": [404, () => get("/products/2000000000")],
  "an unknown route": [404, () => get("/nope")],
  "a path that can't be decoded": [404, () => get("/%ZZ")],
  "another method": [404, () => send(app.url, { method: "PUT", path: "/products" })],
  "too large a body": [413, () => sendJson(app.url, "POST", "/orders", " ".repeat(102_401))],
  "another media type": [
    415,
    () => sendJson(app.url, "POST", "/orders", "x", { "content-type": "text/plain" }),
  ],
  "a login": [
    200,
    () => sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password: PASSWORD })),
  ],
  "a failed login": [
    400,
    () => sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password: "x" })),
  ],
  health: [200, () => get("/health/live")],
  readiness: [200, () => get("/health/ready")],
  GraphQL: [200, () => sendJson(app.url, "POST", "/graphql", '{"query":"{ categories { id } }"}')],
  "a GraphQL error": [200, () => sendJson(app.url, "POST", "/graphql", '{"query":"{ x }"}')],
  "a GraphQL body that is no JSON": [400, () => sendJson(app.url, "POST", "/graphql", "{")],
  HEAD: [200, () => send(app.url, { method: "HEAD", path: "/products" })],
  OPTIONS: [404, () => send(app.url, { method: "OPTIONS", path: "/products" })],
};

const strict = {
  "content-security-policy":
    "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

function expectStrict({ headers }: Answer): void {
  expect(headers).toMatchObject(strict);
  expect(headers["x-request-id"]).toMatch(/^[\w.-]{1,64}$/);
  for (const name of ["x-powered-by", "server", "access-control-allow-origin", "set-cookie"]) {
    expect(headers).not.toHaveProperty(name);
  }
}

clauseEach(
  "11.headers",
  "every answer has every header",
  { doors: ["REST", "GraphQL"] },
  answers,
  async ([status, request]) => {
    const answer = await request();
    expect(answer.status).toBe(status);
    expectStrict(answer);
  },
);

clause(
  "11.headers",
  "faults of the service and of the database have every header",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const broken = await startApp({ http: { corsOrigins: [] } });
    try {
      await broken.sql("DROP TABLE categories CASCADE");
      const failed = await send(broken.url, { method: "GET", path: "/categories" });
      expect(failed.status).toBe(500);
      expectStrict(failed);
      const query = JSON.stringify({ query: "{ categories { id } }" });
      expectStrict(await sendJson(broken.url, "POST", "/graphql", query));
      broken.shop.startDraining();
      const draining = await send(broken.url, { method: "GET", path: "/health/ready" });
      expect(draining.status).toBe(503);
      expectStrict(draining);
    } finally {
      await broken.close();
    }
  },
);

test.each([
  ["POST", "/auth/login"],
  ["GET", "/auth/login"],
  ["POST", "/AUTH/LOGIN/"],
  ["GET", "/orders"],
  ["GET", "/ORDERS/"],
  ["POST", "/orders"],
  ["POST", "/graphql"],
  ["GET", "/graphql?query=%7Bcategories%7Bid%7D%7D"],
  ["GET", "/health/ready"],
])("%s %s is not stored on the way", async (method, path) => {
  const { headers } = await send(app.url, { method, path });
  expect(headers["cache-control"]).toBe("no-store");
});

clause("11.cache", "a good order and the list of orders are not stored on the way", async () => {
  const placed = await sendJson(app.url, "POST", "/orders", order);
  const listed = await get("/orders", { authorization: app.asAdmin });
  expect([placed.status, listed.status]).toEqual([201, 200]);
  for (const { headers } of [placed, listed]) expect(headers["cache-control"]).toBe("no-store");
});

const preflight = (origin: string, path = "/orders"): RawRequest => ({
  method: "OPTIONS",
  path,
  headers: {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type,idempotency-key,expected-total",
  },
});

const SHOP = "https://shop.example.com";

describe("pages of other origins", () => {
  clause(
    "11.cors",
    "pages of other origins may call nothing by default",
    { doors: ["REST", "GraphQL"] },
    async () => {
      for (const path of ["/products", "/orders", "/graphql", "/auth/login"]) {
        const { headers } = await get(path, { origin: SHOP });
        const checked = await send(app.url, preflight(SHOP, path));
        expect(headers).not.toHaveProperty("access-control-allow-origin");
        expect(checked.headers).not.toHaveProperty("access-control-allow-origin");
        expect([path, checked.status, checked.text]).toEqual([path, 204, ""]);
      }
    },
  );

  test("the log names the origin of a preflight that is not allowed", async () => {
    const open = await startReplica(app, { http: { corsOrigins: [SHOP] } });
    const reasonOf = async (shop: Pick<TestApp, "url" | "log">, origin: string) => {
      const { method, path, headers } = preflight(origin, "/graphql");
      const id = randomUUID();
      const answer = await send(shop.url, {
        ...{ method, path },
        headers: { ...headers, "x-request-id": id },
      });
      const [line] = await searchLog(shop, id);
      expect([line?.level, line?.status, answer.status]).toEqual(["info", 204, 204]);
      return line?.reason;
    };
    try {
      for (const shop of [app, open]) {
        for (const origin of ["http://shop.localhost:15205", "null", '","level":"fatal'])
          expect(await reasonOf(shop, origin)).toBe(
            `CORS_ORIGINS does not name the origin ${origin}`,
          );
        const long = String(await reasonOf(shop, `https://${"a".repeat(8000)}.example`));
        expect(long).toMatch(/a… \(\d+ characters, cut\)$/);
      }
      expect(await reasonOf(open, SHOP)).toBeUndefined();
    } finally {
      await open.close();
    }
  });

  clause(
    "7.unknown",
    "OPTIONS that is no preflight is not found, whatever its origin",
    async () => {
      for (const origin of [undefined, SHOP]) {
        const headers = origin === undefined ? {} : { origin };
        const { status, body } = await send(app.url, {
          method: "OPTIONS",
          path: "/products",
          headers,
        });
        expect([status, body]).toMatchObject([404, { message: "Cannot OPTIONS /products" }]);
      }
    },
  );

  clause("11.cors", "pages of origins that are named may call, without credentials", async () => {
    const open = await startReplica(app, {
      http: {
        corsOrigins: [SHOP, "https://admin.example.com"],
        corsHeaders: ["X-Shop-Version"],
      },
    });
    try {
      for (const origin of [SHOP, "https://admin.example.com"]) {
        const { status, headers } = await send(open.url, preflight(origin));
        expect(status).toBe(204);
        expect(headers).toMatchObject({
          "access-control-allow-origin": origin,
          "access-control-allow-methods": "GET,HEAD,POST,PATCH,DELETE",
          "access-control-allow-headers": [
            ...["Authorization", "Content-Type", "Idempotency-Key", "Expected-Total"],
            ...["X-Request-Id", "X-Session-Position", "Apollo-Require-Preflight", "If-None-Match"],
            ...["apollographql-client-name", "apollographql-client-version"],
            ...["traceparent", "tracestate", "baggage", "sentry-trace", "X-Shop-Version"],
          ].join(","),
          "access-control-max-age": "600",
        });
        expect(headers).not.toHaveProperty("access-control-allow-credentials");
        expect(headers.vary).toMatch(/\bOrigin\b/);

        const answer = await send(open.url, {
          method: "GET",
          path: "/products",
          headers: { origin },
        });
        expect(answer.headers["access-control-allow-origin"]).toBe(origin);
        expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
        const exposed = answer.headers["access-control-expose-headers"]?.split(",");
        expect(exposed).toEqual([
          "ETag",
          ...["Location", "Idempotent-Replayed", "Retry-After", "WWW-Authenticate", "X-Request-Id"],
          "X-Session-Position",
          ...["RateLimit", "RateLimit-Policy"],
          ...["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
        ]);
      }
    } finally {
      await open.close();
    }
  });

  test.each([
    "https://evil.example.com",
    "http://shop.example.com",
    "https://shop.example.com.evil.org",
    "https://shop.example.com:8443",
    "https://a.shop.example.com",
    "https://SHOP.example.com",
    "https://shop.example.com/",
    "null",
    "http://localhost:3000",
    "*",
  ])("%s is none that was named", async (origin) => {
    const open = await startReplica(app, { http: { corsOrigins: [SHOP] } });
    try {
      for (const request of [
        preflight(origin),
        { method: "GET", path: "/products", headers: { origin } },
      ]) {
        const { headers } = await send(open.url, request);
        expect(headers).not.toHaveProperty("access-control-allow-origin");
      }
    } finally {
      await open.close();
    }
  });

  clause(
    "11.cors.vary",
    "every answer says that it depends on the origin, where any is named",
    { doors: ["REST", "GraphQL"] },
    async () => {
      const open = await startReplica(app, {
        http: { corsOrigins: [SHOP] },
        catalogue: { cache: false }, // altering a table changes no version
      });
      const { email: known } = await open.make.admin();
      const login = JSON.stringify({ email: known, password: PASSWORD });
      const requests: Record<string, RawRequest> = {
        "a list": { method: "GET", path: "/products" },
        "a thing": { method: "GET", path: "/products/1" },
        "a HEAD": { method: "HEAD", path: "/categories" },
        "an order": { method: "POST", path: "/orders", body: order },
        "an invalid order": { method: "POST", path: "/orders", body: "{}" },
        "malformed JSON": { method: "POST", path: "/orders", body: "{" },
        "too large a body": { method: "POST", path: "/orders", body: " ".repeat(102_401) },
        "a login": { method: "POST", path: "/auth/login", body: login },
        "no token": { method: "GET", path: "/orders" },
        "an unknown thing": { method: "GET", path: "/products/2000000000" },
        "an unknown route": { method: "GET", path: "/nope" },
        "a path that can't be decoded": { method: "GET", path: "/%ZZ" },
        "a GraphQL query": { method: "GET", path: "/graphql?query=%7B__typename%7D" },
        "a GraphQL error": { method: "POST", path: "/graphql", body: '{"query":"{ x }"}' },
        "GraphQL that is no JSON": { method: "POST", path: "/graphql", body: "{" },
        "a browser at GraphQL": {
          method: "HEAD",
          path: "/graphql",
          headers: { accept: "text/html" },
        },
        "the explorer": { method: "HEAD", path: "/explorer" },
        "a file of the explorer": { method: "HEAD", path: "/explorer/assets/explorer.css" },
        health: { method: "GET", path: "/health/live" },
        readiness: { method: "GET", path: "/health/ready" },
        "OPTIONS without a preflight": { method: "OPTIONS", path: "/products" },
        "a preflight": preflight(SHOP),
      };
      try {
        const silent: string[] = [];
        for (const [name, request] of Object.entries(requests)) {
          for (const origin of [undefined, SHOP, "https://evil.example.com", "null"]) {
            const { status, headers } = await send(open.url, {
              ...request,
              headers: {
                "content-type": "application/json",
                ...request.headers,
                ...(origin !== undefined && { origin }),
              },
            });
            const varies = (headers.vary ?? "").toLowerCase().split(", ").includes("origin");
            if (!varies) silent.push(`${name} from ${origin}: ${status}`);
          }
        }
        expect(silent).toEqual([]);
        await open.sql("ALTER TABLE categories RENAME TO hidden");
        const failed = await send(open.url, { method: "GET", path: "/categories" });
        expect([failed.status, failed.headers.vary]).toEqual([500, "Origin"]);
      } finally {
        await open.sql("ALTER TABLE IF EXISTS hidden RENAME TO categories");
        await open.close();
      }
      expect((await get("/products")).headers).not.toHaveProperty("vary");
    },
  );

  test("localhost stands for any port of this machine, and for nothing like it", async () => {
    const open = await startReplica(app, { http: { corsOrigins: ["localhost"] } });
    const allowedOf = async (origin: string) =>
      (await send(open.url, preflight(origin))).headers["access-control-allow-origin"];
    try {
      for (const origin of [
        ...["http://localhost", "http://localhost:5173", "https://localhost:3000"],
        ...["http://127.0.0.1:8080", "http://[::1]:3000"],
      ]) {
        expect(await allowedOf(origin)).toBe(origin);
      }
      for (const origin of [
        ...["http://localhost.evil.org", "http://evil.org/localhost", "http://localhost:x"],
        ...["http://127.0.0.1.evil.org", "http://127.0.0.2", "http://localhost@evil.org"],
        ...["file://localhost", "localhost", "null", "http://evillocalhost"],
      ]) {
        expect(await allowedOf(origin)).toBeUndefined();
      }
    } finally {
      await open.close();
    }
  });
});

describe("request ids", () => {
  const idOf = ({ headers }: Answer) => headers["x-request-id"] as string;

  /** The log entry of a request, which is written when the answer has left. */
  async function entryOf(id: string): Promise<object | undefined> {
    for (let turn = 0; turn < 100; turn += 1) {
      const entry = app.log.map((line) => JSON.parse(line) as { id?: string });
      const found = entry.find((each) => each.id === id);
      if (found) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  test.each(["a", "order-42", "8e03978e-40d5-43dd-bc93-6894a57f9324", "A.b_c-9", "x".repeat(64)])(
    "%s comes back, and stands in the log",
    async (id) => {
      const answer = await get("/products?secret=1", { "x-request-id": id });
      expect(idOf(answer)).toBe(id);
      expect(await entryOf(id)).toEqual({
        level: "info",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        id,
        operation: "products",
        method: "GET",
        path: "/products",
        status: 200,
        milliseconds: expect.any(Number),
        msg: "answered",
      });
    },
  );

  test.each([
    "",
    " ",
    "two words",
    "x".repeat(65),
    '"quoted"',
    "a,b",
    '{"level":50}',
    "é",
    "a/b",
    "<script>",
    "a%0d%0ab",
  ])("%j is replaced", async (given) => {
    const id = idOf(await get("/products", { "x-request-id": given }));
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await entryOf(id)).toMatchObject({ status: 200 });
  });

  clause("11.request-id", "every request without an id gets one of its own", async () => {
    const answered = await Promise.all(Array.from({ length: 20 }, () => get("/products")));
    expect(new Set(answered.map(idOf)).size).toBe(20);
  });
});
