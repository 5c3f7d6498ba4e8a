/** @check */

import { newCart, type Cart, type CartItem } from "../../examples/cart";
import * as graphql from "../../examples/graphql/order";
import { createGraphqlClient } from "../../examples/graphql/client";
import { keepOrder, keptOrders, showOrder } from "../../examples/graphql/placed-orders";
import { sentencesOf } from "../../examples/graphql/sentences";
import { createShop } from "../../examples/rest/client";
import * as rest from "../../examples/rest/order";
import type { RetryOptions } from "../../examples/retry";
import type { ClientOptions } from "../../examples/session";
import { ConnectionError, ShopError } from "../../examples/shop-error";
import { orderCount } from "../idempotency/place";
import { startApp, startReplica, type TestApp } from "../support/app";
import { collectGarbage } from "../support/collect-garbage";
import { administrate, endConnections } from "../support/database";
import { eventually } from "../support/eventually";
import { startLossyProxy, type LossyProxy } from "./lossy-proxy";

jest.setTimeout(60_000);

let app: TestApp;
let proxy: LossyProxy;
let productId: number;
beforeAll(async () => {
  app = await startApp();
  proxy = await startLossyProxy(app.url);
});
beforeEach(async () => {
  proxy.fates = [];
  proxy.sent.length = 0;
  await app.sql("TRUNCATE orders CASCADE");
  productId = (await app.make.product({ price: "12.50" })).id;
});
afterAll(async () => {
  await proxy.close();
  await app.close();
});

/** A cart of two at the price that its customer saw. */
const cartAt = (price: string): Cart =>
  newCart("ada@example.com", [{ productId, quantity: 2, price }]);

/** Options that wait for nothing, and the milliseconds that they were asked to wait. */
function impatient(onWait: () => Promise<unknown> = () => Promise.resolve()) {
  const delays: number[] = [];
  const wait = async (milliseconds: number): Promise<void> => {
    delays.push(milliseconds);
    await onWait();
  };
  return { delays, wait };
}

const failure = async (order: Promise<unknown>): Promise<unknown> =>
  order.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The stored orders' totals. */
const totals = async (): Promise<string[]> =>
  (await app.sql<{ total_amount: string }>("SELECT total_amount FROM orders ORDER BY id")).map(
    ({ total_amount }) => total_amount,
  );

interface Door {
  readonly place: (
    url: string,
    cart: Cart,
    retry?: RetryOptions,
    client?: ClientOptions,
  ) => Promise<{ readonly id: number; readonly totalAmount: string }>;
  readonly codes: Record<number, string | undefined>;
}

const doors: Record<string, Door> = {
  REST: {
    place: (url, cart, retry, client) => rest.placeOrder(createShop(url, client), cart, retry),
    codes: {},
  },
  GraphQL: {
    place: (url, cart, retry, client) =>
      graphql.placeOrder(createGraphqlClient(url, client), cart, retry),
    codes: { 400: "BAD_USER_INPUT", 409: "CONFLICT", 422: "CONFLICT", 429: "TOO_MANY_REQUESTS" },
  },
};

describe.each(Object.entries(doors))("an order by the %s example", (_name, { place, codes }) => {
  test.each([
    ["get lost", "lose"],
    ["break off", "cut"],
    ["are replaced by a proxy's page", 502],
  ] as const)("is placed once where its first answers %s", async (_what, fate) => {
    proxy.fates = [fate, fate];
    const { delays, wait } = impatient();
    const order = await place(proxy.url, cartAt("12.50"), { wait });
    expect(order).toMatchObject({ totalAmount: "25.00", items: [{ productId, quantity: 2 }] });
    expect([proxy.sent.length, delays.length, await totals()]).toEqual([3, 2, ["25.00"]]);
    expect(delays[1]).toBeGreaterThanOrEqual(2 * 250);
  });

  test("is given up after some attempts, and placed once if the customer tries again", async () => {
    const cart = cartAt("12.50");
    proxy.fates = ["lose", "lose", "lose"];
    const { wait } = impatient();
    const error = await failure(place(proxy.url, cart, { attempts: 3, wait }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(proxy.sent).toHaveLength(3);
    const { id } = await place(proxy.url, cart);
    expect(await app.sql("SELECT id FROM orders")).toEqual([{ id }]);
  });

  test("is sent again where no answer comes in time", async () => {
    proxy.fates = ["hold"];
    const { delays, wait } = impatient();
    const order = place(proxy.url, cartAt("12.50"), { attempts: 20, wait }, { timeout: 400 });
    await eventually(() => proxy.sent.length > 0);
    collectGarbage();
    await order;
    expect(delays.length).toBeGreaterThanOrEqual(1);
    expect(await orderCount(app)).toBe(1);
  });

  test("is sent again when the shop has said it may be: 503", async () => {
    const database = `ALTER DATABASE ${app.database.name}`;
    await administrate(`${database} ALLOW_CONNECTIONS false`);
    await endConnections(app.database);
    const back = impatient(() => administrate(`${database} ALLOW_CONNECTIONS true`));
    await place(proxy.url, cartAt("12.50"), back);
    expect([back.delays, proxy.sent.length]).toEqual([[1000], 2]);
    expect(await orderCount(app)).toBe(1);
  });

  test("waits as long as a limit of the shop asks for, within its patience", async () => {
    const limited = await startReplica(app, { rateLimits: { orders: 1, newsletter: 0 } });
    await place(limited.url, cartAt("12.50"));
    const { delays, wait } = impatient();
    const options = { attempts: 3, patience: 60_000, wait };
    const error = (await failure(place(limited.url, cartAt("12.50"), options))) as ShopError;
    expect([error.status, error.details.code]).toEqual([429, codes[429]]);
    expect(delays).toHaveLength(2);
    for (const delay of delays) expect([delay % 1000, delay > 0]).toEqual([0, true]);
    expect(error.details.retryAfter! * 1000).toBeLessThanOrEqual(delays[0]!);
    const soon = impatient();
    const other = place(limited.url, cartAt("12.50"), { patience: 0, wait: soon.wait });
    expect([await failure(other), soon.delays]).toMatchObject([{ status: 429 }, []]);
    await limited.close();
  });

  test("is refused at once where it is not valid, with messages by field", async () => {
    const { delays, wait } = impatient();
    const cart = newCart("ada", [
      { productId, quantity: 1, price: "12.50" },
      { productId, quantity: 0, price: "12.50" },
    ]);
    const error = (await failure(place(proxy.url, cart, { wait }))) as ShopError;
    expect(error).toBeInstanceOf(ShopError);
    expect([...error.byField]).toEqual([
      ["customerEmail", ["customerEmail must be an email"]],
      ["items.1.quantity", ["items.1.quantity must not be less than 1"]],
      ["items.1.productId", [`items.1.productId ${productId} occurs more than once`]],
    ]);
    expect([error.status, error.details.code]).toEqual([400, codes[400]]);
    expect(app.log.join("")).toContain(`"${error.details.requestId}"`);
    expect([proxy.sent.length, delays, await orderCount(app)]).toEqual([1, [], 0]);
  });

  test("is not sent again where a proxy refuses it for good", async () => {
    proxy.fates = [413];
    const error = await failure(place(proxy.url, cartAt("12.50"), impatient()));
    expect(error).toMatchObject({ name: "ShopError", status: 413 });
    expect(proxy.sent).toHaveLength(1);
  });

  test("is refused where a price is no longer what the customer saw", async () => {
    const cart = cartAt("12.50");
    await app.sql("UPDATE products SET price = '13.00' WHERE id = $1", [productId]);
    const error = (await failure(place(proxy.url, cart))) as ShopError;
    expect([error.status, error.details.code]).toEqual([409, codes[409]]);
    expect(error.message).toContain("26.00");
    expect(await orderCount(app)).toBe(0);
  });

  test("is refused where the cart has changed but not its key", async () => {
    const cart = cartAt("12.50");
    await place(proxy.url, cart);
    const changed = { ...cart, items: [{ productId, quantity: 3, price: "12.50" }] };
    const error = (await failure(place(proxy.url, changed))) as ShopError;
    expect([error.status, error.details.code]).toEqual([422, codes[422]]);
    expect(await totals()).toEqual(["25.00"]);
  });
});

describe("a customer whose order is refused is told", () => {
  const told = async (url: string, cart: Cart): Promise<string[]> => {
    const order = graphql.placeOrder(createGraphqlClient(url), cart, { attempts: 1 });
    const error = (await failure(order)) as ShopError;
    return sentencesOf(error, (id) => (id === productId ? "Sencha" : `Tea ${id}`));
  };

  const ada = "ada@example.com";
  const long = `${"a".repeat(260)}@b.c`;
  test.each<[said: string, email: string, items: (own: CartItem) => CartItem[]]>([
    ["Your e-mail address is missing.", "", (own) => [own]],
    ["Your e-mail address may have at most 254 characters.", long, (own) => [own]],
    ["The number of products must be between 1 and 100.", ada, () => []],
    // Of no most that nobody orders.
    ["The quantity must be at least 1.", ada, (own) => [{ ...own, quantity: 0 }]],
    ["Sencha is in your cart more than once.", ada, (own) => [own, own]],
    ["Tea 200 can't be ordered at present.", ada, (own) => [own, { ...own, productId: 200 }]],
    ["One order may cost at most 99999999.99.", ada, (own) => [{ ...own, quantity: 100_000_000 }]],
    [
      "Prices have changed: your order would now cost 12.50.",
      ada,
      (own) => [{ ...own, price: "1" }],
    ],
  ])("%s", async (said, email, items) => {
    const cart = newCart(email, items({ productId, quantity: 1, price: "12.50" }));
    expect(await told(app.url, cart)).toEqual([said]);
  });

  test("that the cart has changed", async () => {
    const cart = cartAt("12.50");
    await graphql.placeOrder(createGraphqlClient(app.url), cart);
    const [sentence] = await told(app.url, { ...cart, customerEmail: "bob@example.com" });
    expect(sentence).toContain("Your cart has changed since it was ordered");
  });

  test("when to try again", async () => {
    const limited = await startReplica(app, { rateLimits: { orders: 1 } });
    await graphql.placeOrder(createGraphqlClient(limited.url), cartAt("12.50"));
    const [sentence] = await told(limited.url, cartAt("12.50"));
    expect(sentence).toMatch(/^Please try again in (1 second|[1-9][0-9]? seconds)\.$/);
    await limited.close();
  });

  test.each<[status: number, code?: string]>([[429, "LIMIT"], [429], [503, "UNAVAILABLE"]])(
    "to try again in a second, after %i %s",
    (...[statusCode, code]) => {
      const reasons = code === undefined ? undefined : [{ code, retryAfter: 1 }];
      const refusal = { statusCode, message: "Not now", error: "Not now" };
      const error = new ShopError(refusal, { reasons, retryAfter: 1 });
      expect(sentencesOf(error, String)).toEqual(["Please try again in 1 second."]);
    },
  );

  test("that the shop failed, where it did or no answer came, and the same cart is ordered once", async () => {
    const cart = cartAt("12.50");
    for (const { place } of Object.values(doors)) {
      for (const fate of ["lose", 502] as const) {
        proxy.fates = [fate];
        const error = await failure(place(proxy.url, cart, { attempts: 1 }));
        expect(sentencesOf(error as ShopError | ConnectionError, String)).toEqual([
          "Something went wrong at the shop. Please try again.",
        ]);
      }
    }
    await graphql.placeOrder(createGraphqlClient(proxy.url), cart);
    expect(await orderCount(app)).toBe(1);
  });

  test("that something is wrong, where the reason is of a later release or of a proxy", () => {
    const refusal = { statusCode: 400, message: "No", error: "Bad Request" };
    const later = new ShopError(refusal, {
      reasons: [{ code: "SOLD_OUT", path: "items.0.quantity" }],
    });
    const sentences = [later, new ShopError(refusal)].flatMap((error) =>
      sentencesOf(error, String),
    );
    expect(sentences).toEqual([
      "The quantity is not right. Please look at it again.",
      "Your order is not right. Please look at it again.",
    ]);
  });
});

test("a customer sees the orders that the browser has kept, with no lookup in an address", async () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
  const client = createGraphqlClient(proxy.url);
  const ids: number[] = [];
  for (let n = 0; n < 2; n += 1) {
    const order = await graphql.placeOrder(client, cartAt("12.50"));
    keepOrder(storage, order);
    keepOrder(storage, order);
    ids.unshift(order.id);
  }
  const kept = keptOrders(storage);
  const shown = await Promise.all(kept.map((lookup) => showOrder(client, lookup)));
  expect(shown.map((order) => order?.id)).toEqual(ids);
  expect(shown[0]).toMatchObject({ status: "PENDING", items: [{ quantity: 2 }] });
  expect(new Set(proxy.sent)).toEqual(new Set(["POST /graphql"]));
  expect(await showOrder(client, `${kept[0]}A`)).toBeNull();
  for (const odd of ["{", "7", "[7]"]) {
    items.forEach((_, key) => items.set(key, odd));
    expect(keptOrders(storage)).toEqual([]);
  }
});

test("both examples place one order under one key", async () => {
  const cart = cartAt("12.50");
  const ids = await Promise.all(Object.values(doors).map(({ place }) => place(app.url, cart)));
  expect(ids[0]!.id).toBe(ids[1]!.id);
  expect(await orderCount(app)).toBe(1);
});
