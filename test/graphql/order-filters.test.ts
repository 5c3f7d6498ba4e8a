import { Client } from "pg";
import { useApp } from "../support/app";
import { graphqlClauseEach } from "../support/clause";
import { extensionsOf } from "../support/refusals";
import { dataOf, refusalOf } from "./client";

jest.setTimeout(60_000);

const app = useApp();
beforeAll(async () => {
  const rows = [
    ["1.00", "PENDING", "One@example.com", "2024-01-01T00:00:00.000Z"],
    ["2.00", "PAID", "one@example.com", "2024-01-01T00:00:00.001Z"],
    ["3.00", "PAID", "two@example.com", "2024-01-02T00:00:00.000Z"],
    ["4.00", "CANCELLED", "two@example.com", "2024-01-03T00:00:00.000Z"],
  ] as const;
  for (const [total_amount, status, customer_email, created_at] of rows) {
    await app.make.order({ total_amount, status, customer_email, created_at });
  }
  const { id: product_id } = await app.make.product();
  for (const order_id of [1, 3]) await app.make.orderItem({ order_id, product_id });
});

const list = `query ($filter: OrderFilter) {
  orders(filter: $filter, pageSize: 50) { data { totalAmount } meta { total } }
  ordersConnection(filter: $filter, first: 50) { edges { node { totalAmount } } totalCount }
}`;

graphqlClauseEach<[filter: object | null, totals: number[]]>(
  "10.filters.orders",
  "conditions on orders all hold, the earlier bound inclusive",
  {
    null: [null, [4, 3, 2, 1]],
    "null for each": [
      {
        ...{ status: null, customerEmail: null, customerSearch: null },
        ...{ placedFrom: null, placedBefore: null },
      },
      [4, 3, 2, 1],
    ],
    "a state": [{ status: "PAID" }, [3, 2]],
    "some states": [{ statuses: ["PENDING", "CANCELLED"] }, [4, 1]],
    "a state that is none of the states": [{ status: "PAID", statuses: ["PENDING"] }, []],
    "none of the states": [{ statuses: [] }, []],
    "ids, unknown ones ignored": [{ ids: [3, 1, 2_147_483_647, 99] }, [3, 1]],
    "a product": [{ productId: 1 }, [3, 1]],
    "a product that nobody has": [{ productId: 2_147_483_647 }, []],
    "a customer, letter case ignored": [{ customerEmail: "ONE@example.com" }, [2, 1]],
    "a part of an address": [{ customerEmail: "one" }, []],
    "a search for a part, letter case ignored": [{ customerSearch: "ONE@ex" }, [2, 1]],
    "a search for a part of all addresses": [{ customerSearch: "example" }, [4, 3, 2, 1]],
    "a search for a percent sign, which is plain": [{ customerSearch: "o%@ex" }, []],
    "a search for an underscore, which is plain": [{ customerSearch: "_ne@" }, []],
    "a search and an address": [
      { customerSearch: "example", customerEmail: "one@example.com" },
      [2, 1],
    ],
    "a pattern": [{ customerEmail: "%@example.com" }, []],
    "placed from, inclusive": [{ placedFrom: "2024-01-02T00:00:00.000Z" }, [4, 3]],
    "placed before, exclusive": [{ placedBefore: "2024-01-02T00:00:00.000Z" }, [2, 1]],
    "in another time zone": [{ placedBefore: "2024-01-01T02:00:00.001+02:00" }, [1]],
    "all that is there": [
      {
        ...{ status: "PAID", customerEmail: "two@example.com", customerSearch: "TWO" },
        ...{ placedFrom: "2024-01-01T00:00:00Z", placedBefore: "2024-01-03T00:00:00Z" },
      },
      [3],
    ],
  },
  async ([filter, totals]) => {
    const amounts = totals.map((total) => ({ totalAmount: `${total}.00` }));
    expect(await dataOf(app, list, { filter })).toEqual({
      orders: { data: amounts, meta: { total: totals.length } },
      ordersConnection: {
        edges: amounts.map((node) => ({ node })),
        totalCount: totals.length,
      },
    });
  },
);

graphqlClauseEach<[customerSearch: string, message: string]>(
  "10.filters.orders",
  "what is no part of an address is refused",
  {
    nothing: ["", "must be longer than or equal to 3 characters"],
    "two characters": ["🍵a", "must be longer than or equal to 3 characters"],
    "101 characters": ["a".repeat(101), "must be shorter than or equal to 100 characters"],
    NUL: ["one\0", "must be well-formed Unicode without NUL"],
  },
  async ([customerSearch, message]) => {
    const query = "query ($filter: OrderFilter) { orders(filter: $filter) { data { id } } }";
    expect(await refusalOf(app, query, { filter: { customerSearch } })).toEqual(
      extensionsOf(400, [`customerSearch ${message}`]),
    );
  },
);

describe("by part of an address", () => {
  const totalsOf = async (customerSearch: string) => {
    const { orders } = await dataOf<{
      orders: { data: { totalAmount: string }[]; meta: { total: number } };
    }>(app, list, { filter: { customerSearch } });
    expect(orders.meta.total).toBe(orders.data.length);
    return orders.data.map(({ totalAmount }) => totalAmount);
  };

  test("an order is found as soon as it is placed, and by its new address once it has another", async () => {
    const { id: productId } = await app.make.product({ price: "5.00" });
    const items = [{ productId, quantity: 1 }];
    const input = { customerEmail: "Fatima.Said@example.com", items };
    const { body } = await app.http.post("/orders").send(input).expect(201);
    expect(await totalsOf("fatima")).toEqual(["5.00"]);
    await app.sql("UPDATE orders SET customer_email = 'Moved@example.com' WHERE id = $1", [
      body.id,
    ]);
    expect([await totalsOf("fatima"), await totalsOf("MOVED")]).toEqual([[], ["5.00"]]);
    await app.sql("DELETE FROM orders WHERE id = $1", [body.id]);
    expect(await totalsOf("moved")).toEqual([]);
  });

  test("orders that bring the same new addresses wait for none, and are found once each", async () => {
    const clients = await Promise.all(
      ["11", "12"].map(async (amount) => {
        const client = new Client({ connectionString: app.database.url });
        await client.connect();
        await client.query("BEGIN; SET LOCAL lock_timeout = '5s'");
        const insert = "INSERT INTO orders (customer_email, total_amount) VALUES ($1, $2)";
        const place = (address: string) => client.query(insert, [address, amount]);
        return { client, place };
      }),
    );
    const [first, second] = clients as [(typeof clients)[0], (typeof clients)[0]];
    await first.place("crowd.a@example.com");
    await second.place("crowd.b@example.com");
    await first.place("crowd.b@example.com");
    await second.place("crowd.a@example.com");
    for (const { client } of clients) {
      await client.query("COMMIT");
      await client.end();
    }
    const found = await totalsOf("crowd.a");
    expect(found.toSorted()).toEqual(["11.00", "12.00"]);
    await app.sql("DELETE FROM orders WHERE total_amount IN (11, 12)");
  });

  test("pages and connections have all matches in order, be they few or many", async () => {
    // More than are looked at first; the oldest alone are of "rare" customers.
    await app.sql(`INSERT INTO orders (customer_email, total_amount, status, created_at)
      SELECT CASE WHEN n % 2 = 0 THEN 'often' WHEN n < 60 THEN 'rare' ELSE 'other' END || n % 7 || '@bulk.example',
             n, CASE WHEN n % 3 = 0 THEN 'PAID' ELSE 'PENDING' END::order_status,
             '2023-01-01'::timestamptz + n / 2 * interval '1 minute'
      FROM generate_series(1, 3000) n`);
    await app.sql("ANALYZE orders");
    const query = `query ($filter: OrderFilter, $page: Int!, $after: String) {
      orders(filter: $filter, pageSize: 7, page: $page) { data { id } meta { total } }
      ordersConnection(filter: $filter, first: 7, after: $after) {
        edges { node { id } } pageInfo { endCursor } totalCount
      }
    }`;
    interface Read {
      orders: { data: { id: number }[]; meta: { total: number } };
      ordersConnection: {
        edges: { node: { id: number } }[];
        pageInfo: { endCursor: string | null };
        totalCount: number;
      };
    }
    for (const customerSearch of ["often", "rare", "rare3@", "bulk"]) {
      for (const status of [null, "PAID"]) {
        const rows = await app.sql<{ id: number }>(
          `SELECT id FROM orders WHERE strpos(customer_email, $1) > 0 AND ($2::order_status IS NULL OR status = $2)
           ORDER BY created_at DESC, id DESC`,
          [customerSearch, status],
        );
        let after: string | null = null;
        for (const page of [1, 2, 3]) {
          const filter = { customerSearch, status };
          const read: Read = await dataOf<Read>(app, query, { filter, page, after });
          const { orders, ordersConnection } = read;
          const data = rows.slice((page - 1) * 7, page * 7);
          expect(orders).toEqual({ data, meta: { total: rows.length } });
          expect(ordersConnection.edges.map(({ node }) => node)).toEqual(data);
          expect(ordersConnection.totalCount).toBe(rows.length);
          after = ordersConnection.pageInfo.endCursor ?? after;
        }
      }
    }
  });
});
