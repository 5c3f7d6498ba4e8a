import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { expectRefused } from "../support/refusals";

const app = useApp();
beforeAll(async () => {
  await app.sql("DROP INDEX orders_newest"); // It would give the right order by chance.
});
beforeEach(() => app.sql("DELETE FROM orders"));

const list = (query: Record<string, string | string[]> = {}) =>
  app.http.get("/orders").query(query).set("Authorization", app.asAdmin);
const ids = (orders: { id: number }[]): number[] => orders.map(({ id }) => id);

clause(
  "4.order-list",
  "GET /orders answers 200 with orders, newest first, ties by id descending",
  async () => {
    const made = [];
    for (const created_at of ["12:00:00.000Z", "12:00:00.001Z", "11:59:59.999Z", "12:00:00.000Z"]) {
      made.push((await app.make.order({ created_at: `2024-06-01T${created_at}` })).id);
    }
    const [noon, later, earlier, tie] = made;
    const { status, body } = await list();
    expect([status, ids(body.data)]).toEqual([200, [later, tie, noon, earlier]]);
    expect(body.meta).toEqual({ total: 4, page: 1, pageSize: 10, totalPages: 1 });
  },
);

clause(
  "4.order-list",
  "entries have exactly id, customerEmail, totalAmount, status, createdAt",
  async () => {
    const { id: product_id } = await app.make.product();
    const created_at = "2024-06-01T12:00:00.123Z";
    const values = {
      customer_email: "a@example.com",
      total_amount: "7.50",
      status: "PAID",
    } as const;
    const { id } = await app.make.order({ ...values, created_at });
    await app.make.orderItem({ order_id: id, product_id });
    const fields = { customerEmail: "a@example.com", totalAmount: "7.50", status: "PAID" };
    expect((await list()).body.data).toEqual([{ id, ...fields, createdAt: created_at }]);
  },
);

clause("4.order-list", "it is for administrators only", async () => {
  expectRefused(await app.http.get("/orders"), 401);
});

clause("4.order-list.status", "status filters, and meta.total counts what matches", async () => {
  const made: Record<string, number[]> = { PENDING: [], PAID: [], CANCELLED: [] };
  for (const status of ["PENDING", "PAID", "PENDING", "CANCELLED", "PENDING"] as const) {
    made[status]!.unshift((await app.make.order({ status })).id);
  }
  for (const [status, expected] of Object.entries(made)) {
    const { body } = await list({ status, pageSize: "2" });
    expect(ids(body.data)).toEqual(expected.slice(0, 2));
    expect(body.meta).toEqual({
      total: expected.length,
      page: 1,
      pageSize: 2,
      totalPages: Math.ceil(expected.length / 2),
    });
  }
});

clauseEach<Record<string, string | string[]>>(
  "4.order-list.status",
  "a status other than the three values is 400",
  {
    unknown: { status: "SHIPPED" },
    "lower case": { status: "paid" },
    empty: { status: "" },
    "two in one": { status: "PAID,PENDING" },
    "a space": { status: " PAID" },
    repeated: { status: ["PAID", "PAID"] },
    bracketed: { "status[]": "PAID" },
    keyed: { "status[in]": "PAID" },
  },
  async (query) => {
    expectRefused(await list(query), 400, [
      "status must be one of the following values: PENDING, PAID, CANCELLED",
    ]);
  },
);

clauseEach<[address: string, matches: string[]]>(
  "4.order-list.customer-email",
  "customerEmail matches the whole address, letter case ignored; % and _ are plain",
  {
    "the address": ["ann@example.com", ["Ann@example.com", "ann@EXAMPLE.com"]],
    "in capitals": ["ANN@EXAMPLE.COM", ["Ann@example.com", "ann@EXAMPLE.com"]],
    "its beginning": ["ann", []],
    "its end": ["example.com", []],
    "a percent sign": ["%", []],
    "a percent sign in the address": ["ann%@example.com", ["ann%@example.com"]],
    "an underscore": ["ann_lee@example.com", ["ann_lee@example.com"]],
    "an underscore for a letter": ["a_n@example.com", []],
    "a plus sign": ["ann+tea@example.com", ["ann+tea@example.com"]],
    "a quote": ["o'ann@example.com", ["o'ann@example.com"]],
    "a space around": [" ann@example.com", []],
    "a backslash": ["ann\\@example.com", []],
  },
  async ([customerEmail, matches]) => {
    const addresses = [
      "Ann@example.com",
      "ann@EXAMPLE.com",
      "joann@example.com",
      "ann@example.com.au",
      "ann%@example.com",
      "ann_lee@example.com",
      "annxlee@example.com",
      "ann+tea@example.com",
      "o'ann@example.com",
    ];
    for (const customer_email of addresses) await app.make.order({ customer_email });
    const { status, body } = await list({ customerEmail });
    const found = body.data.map((each: { customerEmail: string }) => each.customerEmail);
    expect([status, found.toSorted()]).toEqual([200, matches.toSorted()]);
    expect(body.meta.total).toBe(matches.length);
  },
);

clauseEach<Record<string, string | string[]>>(
  "4.order-list.customer-email",
  "an empty or repeated customerEmail is 400",
  {
    empty: { customerEmail: "" },
    repeated: { customerEmail: ["a@example.com", "a@example.com"] },
    bracketed: { "customerEmail[]": "a@example.com" },
    keyed: { "customerEmail[like]": "a" },
  },
  async (query) => {
    expectRefused(await list(query), 400, [expect.stringMatching(/^customerEmail /)]);
  },
);

clause("4.order-list", "both filters and the page combine", async () => {
  const customer_email = "both@example.com";
  const made = [];
  for (let count = 0; count < 3; count += 1) {
    made.unshift((await app.make.order({ customer_email, status: "PAID" })).id);
    await app.make.order({ customer_email });
    await app.make.order({ status: "PAID" });
  }
  const query = { customerEmail: "BOTH@example.com", status: "PAID", page: "2", pageSize: "2" };
  const { body } = await list(query);
  expect(ids(body.data)).toEqual(made.slice(2));
  expect(body.meta).toEqual({ total: 3, page: 2, pageSize: 2, totalPages: 2 });
});

clause(
  "4.order-list",
  "both filters are judged in one list; unknown parameters are ignored",
  async () => {
    expectRefused(await list({ status: "NEW", customerEmail: "" }), 400, [
      "status must be one of the following values: PENDING, PAID, CANCELLED",
      "customerEmail should not be empty",
    ]);
    await app.make.order();
    expect((await list({ placedFrom: "2999-01-01", id: "0", Status: "NEW" })).body.meta.total).toBe(
      1,
    );
  },
);
