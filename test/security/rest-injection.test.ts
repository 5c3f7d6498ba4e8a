import { useApp } from "../support/app";
import { send, sendBytes, sendJson } from "../support/raw-http";
import { inParts } from "../support/repetitions";
import { everythingStored } from "../support/stored";
import { eachOf } from "../support/each-of";
import { foreignMembers, hostileJson, hostileTexts, unstorableTexts } from "./payloads";

jest.setTimeout(60_000);

let id: number;
const app = useApp();
beforeAll(async () => {
  const product = await app.make.product();
  const order = await app.make.order();
  id = product.id;
  expect([product.category_id, order.id]).toEqual([id, id]);
});
afterEach(() => {
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

/** A body as the members of its JSON text. */
type Members = Record<string, string>;

interface Endpoint {
  readonly method: string;
  readonly path: () => string;
  readonly members: () => Members;
}

const endpoints: Record<string, Endpoint> = {
  "POST /auth/login": {
    method: "POST",
    path: () => "/auth/login",
    members: () => ({ email: '"nobody@example.com"', password: '"guess"' }),
  },
  "POST /orders": {
    method: "POST",
    path: () => "/orders",
    members: () => ({
      customerEmail: '"mina@example.com"',
      items: `[{"productId":${id},"quantity":1}]`,
    }),
  },
  "POST /categories": {
    method: "POST",
    path: () => "/categories",
    members: () => ({ name: '"Oolong"', slug: '"oolong"', isActive: "true" }),
  },
  "PATCH /categories/:id": {
    method: "PATCH",
    path: () => `/categories/${id}`,
    members: () => ({ name: '"Oolong"', slug: '"oolong"', isActive: "true" }),
  },
  "POST /products": {
    method: "POST",
    path: () => "/products",
    members: () => ({
      name: '"Sencha"',
      slug: '"sencha"',
      description: '"Green."',
      price: '"1.00"',
      categoryId: String(id),
      isActive: "false",
    }),
  },
  "PATCH /products/:id/status": {
    method: "PATCH",
    path: () => `/products/${id}/status`,
    members: () => ({ isActive: "true" }),
  },
};

const objectOf = (members: Members, ...others: string[]): string =>
  `{${[...Object.entries(members).map(([key, value]) => `"${key}":${value}`), ...others].join(",")}}`;

const sendTo = ({ method, path }: Endpoint, body: string, headers: object = {}) =>
  sendJson(app.url, method, path(), body, { authorization: app.asAdmin, ...headers });

/** Every member of every body, a member of an order's item included, by name. */
const inputs: [string, Endpoint, string][] = Object.entries(endpoints).flatMap(([name, endpoint]) =>
  Object.keys(endpoint.members()).map((key): [string, Endpoint, string] => [
    `${key} of ${name}`,
    endpoint,
    key,
  ]),
);

/** The texts that are free: what is sent is kept as it is. All else is refused. */
const freeTexts: Record<string, "categories" | "products"> = {
  "name of POST /categories": "categories",
  "name of PATCH /categories/:id": "categories",
  "name of POST /products": "products",
  "description of POST /products": "products",
};

const withoutSlug = ({ members }: Endpoint): Members => {
  const { slug: _, ...others } = members();
  return others;
};

const nextTexts = inParts(hostileTexts, 3);
const nextJson = inParts(hostileJson, 3);

describe.each(inputs)("%s", (name, endpoint, key) => {
  const bodyWith = (value: string): string => objectOf({ ...withoutSlug(endpoint), [key]: value });

  test("hostile texts are kept as they are, or refused without effect", async () => {
    const free = freeTexts[name];
    const before = await everythingStored(app);
    const kept: [id: number, text: string][] = [];
    // Some of the texts are good slugs.
    const isSlug = key === "slug" ? /^[a-z]{1,120}$/ : /^$/;
    const texts = [...nextTexts(), ...unstorableTexts].filter((text) => !isSlug.test(text));
    await eachOf(texts, async (text) => {
      const { status, body } = await sendTo(endpoint, bodyWith(JSON.stringify(text)));
      if (free !== undefined && (status === 200 || status === 201)) {
        const answered = body as { id: number; [key: string]: unknown };
        const literal = key === "name" ? text.trim() : text;
        expect(answered[key]).toBe(literal);
        kept.push([answered.id, literal]);
      } else expect([text, status]).toEqual([text, 400]);
    });

    const after = await everythingStored(app);
    if (free === undefined) expect(after).toEqual(before);
    else {
      expect({ ...after, [free]: [] }).toEqual({ ...before, [free]: [] });
      expect(kept.length).toBeGreaterThan(0);
      const rows = new Map(
        (after[free] as { id: number; [column: string]: unknown }[]).map((row) => [row.id, row]),
      );
      // Of many changes of one thing the last is left.
      const created = kept.filter(([stored]) => stored !== id);
      expect(created.map(([stored]) => rows.get(stored)?.[key])).toEqual(
        created.map(([, text]) => text),
      );
    }
  });

  test("hostile JSON is refused without effect, or is what the contract converts", async () => {
    const isAllowed = (value: string): boolean =>
      (key === "isActive" && value === "true") ||
      (key === "price" && ["1.5", "-0"].includes(value));
    const before = await everythingStored(app);
    const values = nextJson().filter((value) => !isAllowed(value));
    const statuses = await eachOf(values, async (value) => {
      const { status } = await sendTo(endpoint, bodyWith(value));
      return [value, status];
    });
    expect(statuses).toEqual(values.map((value) => [value, 400]));
    expect(await everythingStored(app)).toEqual(before);
  });
});

test.each(Object.entries(endpoints))("members outside the shape of %s", async (_, endpoint) => {
  const before = await everythingStored(app);
  await eachOf(foreignMembers, async (member) => {
    const { status } = await sendTo(endpoint, objectOf(endpoint.members(), member));
    expect([member, status]).toEqual([member, 400]);
  });
  expect(await everythingStored(app)).toEqual(before);
});

test.each(["productId", "quantity"])("hostile values as %s of an item", async (key) => {
  const before = await everythingStored(app);
  const values = [...hostileTexts.map((text) => JSON.stringify(text)), ...hostileJson];
  await eachOf(values, async (value) => {
    const item = objectOf({ productId: String(id), quantity: "1", [key]: value });
    const members = { customerEmail: '"mina@example.com"', items: `[${item}]` };
    const { status } = await sendTo(endpoints["POST /orders"]!, objectOf(members));
    expect([value, status]).toEqual([value, 400]);
  });
  await eachOf(foreignMembers, async (member) => {
    const item = objectOf({ productId: String(id), quantity: "1" }, member);
    const members = { customerEmail: '"mina@example.com"', items: `[${item}]` };
    expect((await sendTo(endpoints["POST /orders"]!, objectOf(members))).status).toBe(400);
  });
  expect(await everythingStored(app)).toEqual(before);
});

test.each([
  ["GET", "/products/:id", ""],
  ["GET", "/products/category/:id", ""],
  ["PATCH", "/categories/:id", '{"name":"x"}'],
  ["DELETE", "/categories/:id", ""],
  ["PATCH", "/products/:id/status", '{"isActive":false}'],
  ["DELETE", "/products/:id", ""],
])("hostile ids in the path of %s %s", async (method, path, body) => {
  const before = await everythingStored(app);
  const encoded = hostileTexts.map((text) => encodeURIComponent(text));
  const asTheyStand = hostileTexts.filter((text) => /^[!-~]+$/.test(text) && !/[?#]/.test(text));
  await eachOf(
    [...encoded, ...asTheyStand, "%00", "%FF", "%", "%u0027", "1%00", "1;1"],
    async (text) => {
      const { status } = await send(app.url, {
        method,
        path: path.replace(":id", text),
        headers: { authorization: app.asAdmin, "content-type": "application/json" },
        ...(body !== "" && { body }),
      });
      expect([text, [400, 404].includes(status)]).toEqual([text, true]);
    },
  );
  expect(await everythingStored(app)).toEqual(before);
});

test.each(["page", "pageSize", "status", "customerEmail"])(
  "hostile values of the query's %s",
  async (name) => {
    const before = await everythingStored(app);
    const values = [...hostileTexts.map((text) => encodeURIComponent(text)), "%00", "%FF", "%"];
    for (const query of [
      ...values.map((value) => `${name}=${value}`),
      `${name}[$ne]=1`,
      `${name}[Op.ne]=1`,
      `${name}[__proto__][polluted]=1`,
      `${name}[]=1`,
      `${name}=1&${name}=1`,
    ]) {
      const path = `/orders?${query}`;
      const headers = { authorization: app.asAdmin };
      const { status, body } = await send(app.url, { method: "GET", path, headers });
      // An address that nobody has is a filter that nothing passes.
      if (status === 200) {
        expect([query, name, body]).toEqual([
          query,
          "customerEmail",
          { data: [], meta: { total: 0, page: 1, pageSize: 10, totalPages: 0 } },
        ]);
      } else expect([query, status]).toEqual([query, 400]);
    }
    expect(await everythingStored(app)).toEqual(before);
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

test.each(["Idempotency-Key", "Expected-Total", "X-Request-Id", "Authorization", "Accept", "Host"])(
  "hostile values of the header %s",
  async (name) => {
    const order = objectOf(endpoints["POST /orders"]!.members());
    const { orders, order_items, ...rest } = await everythingStored(app);
    expect(orders.length).toBeGreaterThanOrEqual(order_items.length);
    for (const text of hostileTexts.filter((each) => !/[\r\n]/.test(each))) {
      const value = Buffer.from(text)
        .toString("latin1")
        .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "");
      const { status } = await sendJson(app.url, "POST", "/orders", order, { [name]: value });
      expect([name, text, status < 500]).toEqual([name, text, true]);
    }
    const { orders: _, order_items: __, ...after } = await everythingStored(app);
    expect(after).toEqual(rest);
    const [wrong] = await app.sql(
      "SELECT count(*)::integer FROM orders o LEFT JOIN order_items i ON i.order_id = o.id WHERE o.id <> $1 AND (total_amount <> 10 OR unit_price IS NULL OR status <> 'PENDING')",
      [id],
    );
    expect(wrong).toEqual({ count: 0 });
  },
);

test("no request splits into two, and no answer gets a header of the client's", async () => {
  const requests = [
    "GET /products/1%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: shop",
    "GET /x%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: shop",
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
    expect([request, /^set-cookie/im.test(answer.split("\r\n\r\n")[0] ?? "")]).toEqual([
      request,
      false,
    ]);
    expect(answer.match(/^HTTP\/1\.1 /gm)?.length).toBe(1);
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
  }
});
