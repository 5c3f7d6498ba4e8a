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

const at = (path: string, method = "GET", headers: RawRequest["headers"] = {}): RawRequest => ({
  ...{ method, path, headers },
});
const json = (path: string, body: string, type = "application/json"): RawRequest => ({
  ...at(path, "POST", { "content-type": type }),
  body,
});
const login = (password: string) => json("/auth/login", JSON.stringify({ email, password }));

/** A request for every kind of answer, with its status. */
const requests: Record<string, [number, () => RawRequest]> = {
  "a list": [200, () => at("/products")],
  "a creation": [201, () => json("/orders", order)],
  "invalid input": [400, () => json("/orders", "{}")],
  "malformed JSON": [400, () => json("/orders", "{")],
  "no token": [401, () => at("/orders")],
  "an unknown thing": [404, () => at("/products/2000000000")],
  "an unknown route": [404, () => at("/nope")],
  "a path that can't be decoded": [404, () => at("/%ZZ")],
  "another method": [404, () => at("/products", "PUT")],
  "too large a body": [413, () => json("/orders", " ".repeat(102_401))],
  "another media type": [415, () => json("/orders", "x", "text/plain")],
  "a login": [200, () => login(PASSWORD)],
  "a failed login": [400, () => login("x")],
  health: [200, () => at("/health/live")],
  readiness: [200, () => at("/health/ready")],
  GraphQL: [200, () => json("/graphql", '{"query":"{ categories { id } }"}')],
  "a GraphQL error": [200, () => json("/graphql", '{"query":"{ x }"}')],
  "a GraphQL body that is no JSON": [400, () => json("/graphql", "{")],
  HEAD: [200, () => at("/products", "HEAD")],
  OPTIONS: [404, () => at("/products", "OPTIONS")],
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
  requests,
  async ([status, request]) => {
    const answer = await send(app.url, request());
    expect(answer.status).toBe(status);
    expectStrict(answer);
  },
);

clause("11.headers", "faults have every header", { doors: ["REST", "GraphQL"] }, async () => {
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
});

clause("11.cache", "what is no list of the catalogue is not stored on the way", async () => {
  const all = [
    ...["/auth/login", "/AUTH/LOGIN/", "/orders", "/graphql"].map((path) => json(path, "{}")),
    ...["/auth/login", "/orders", "/ORDERS/", "/health/ready"].map((path) => at(path)),
    ...[at("/graphql?query={categories{id}}"), json("/orders", order)],
    at("/orders", "GET", { authorization: app.asAdmin }),
  ];
  const stored = all.map(async (each) => (await send(app.url, each)).headers["cache-control"]);
  expect(await Promise.all(stored)).toEqual(all.map(() => "no-store"));
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
  clause("11.cors", "by default, none may call", { doors: ["REST", "GraphQL"] }, async () => {
    for (const path of ["/products", "/orders", "/graphql", "/auth/login"]) {
      const { headers } = await get(path, { origin: SHOP });
      const checked = await send(app.url, preflight(SHOP, path));
      expect(headers).not.toHaveProperty("access-control-allow-origin");
      expect(checked.headers).not.toHaveProperty("access-control-allow-origin");
      expect([path, checked.status, checked.text]).toEqual([path, 204, ""]);
    }
  });

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

  clause("7.unknown", "OPTIONS that is no preflight is not found", async () => {
    for (const headers of [{}, { origin: SHOP }]) {
      const { status, body } = await send(app.url, at("/products", "OPTIONS", headers));
      expect([status, body]).toMatchObject([404, { message: "Cannot OPTIONS /products" }]);
    }
  });

  clause("11.cors", "pages of origins that are named may call, without credentials", async () => {
    const corsOrigins = [SHOP, "https://admin.example.com"];
    const open = await startReplica(app, {
      http: { corsOrigins, corsHeaders: ["X-Shop-Version"] },
    });
    try {
      for (const origin of corsOrigins) {
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

        const answer = await send(open.url, at("/products", "GET", { origin }));
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

  test("an origin like one that was named is none", async () => {
    const open = await startReplica(app, { http: { corsOrigins: [SHOP] } });
    const others = [
      ...["https://evil.example.com", "http://shop.example.com", "https://a.shop.example.com"],
      ...["https://shop.example.com.evil.org", "https://shop.example.com:8443", "null", "*"],
      ...["https://SHOP.example.com", "https://shop.example.com/", "http://localhost:3000"],
    ];
    try {
      for (const origin of others) {
        for (const request of [preflight(origin), at("/products", "GET", { origin })]) {
          const { headers } = await send(open.url, request);
          expect([origin, headers["access-control-allow-origin"]]).toEqual([origin, undefined]);
        }
      }
    } finally {
      await open.close();
    }
  });

  clause("11.cors.vary", "answers vary by origin", { doors: ["REST", "GraphQL"] }, async () => {
    const open = await startReplica(app, {
      http: { corsOrigins: [SHOP] },
      catalogue: { cache: false }, // altering a table changes no version
    });
    const html = { accept: "text/html" };
    const all: [name: string, request: RawRequest][] = [
      ...Object.entries(requests).map(([name, [, request]]): [string, RawRequest] => [
        name,
        request(),
      ]),
      ["a GraphQL query by GET", at("/graphql?query={__typename}")],
      ["a browser at GraphQL", at("/graphql", "HEAD", html)],
      ["the explorer", at("/explorer", "HEAD")],
      ["a file of the explorer", at("/explorer/assets/explorer.css", "HEAD")],
      ["a preflight", preflight(SHOP)],
    ];
    try {
      const silent: string[] = [];
      for (const [name, request] of all) {
        for (const origin of [undefined, SHOP, "https://evil.example.com", "null"]) {
          const headers = { ...request.headers, ...(origin !== undefined && { origin }) };
          const { status, headers: received } = await send(open.url, { ...request, headers });
          const varies = (received.vary ?? "").toLowerCase().split(", ").includes("origin");
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
  });

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

  test.each(["a", "A.b_c-9", "x".repeat(64)])(
    "%s comes back, and stands in the log",
    async (id) => {
      const answer = await get("/products?secret=1", { "x-request-id": id });
      expect(idOf(answer)).toBe(id);
      const [line] = await searchLog(app, `"id":"${id}"`);
      expect(line).toEqual({
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
    ...["", " ", "two words", "x".repeat(65), '"quoted"', "a,b", '{"level":50}', "é", "a/b"],
    ...["<script>", "a%0d%0ab"],
  ])("%j is replaced", async (given) => {
    const id = idOf(await get("/products", { "x-request-id": given }));
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await searchLog(app, id)).toMatchObject([{ status: 200 }]);
  });

  clause("11.request-id", "every request without an id gets one of its own", async () => {
    const answered = await Promise.all(Array.from({ length: 20 }, () => get("/products")));
    expect(new Set(answered.map(idOf)).size).toBe(20);
  });
});
