import { setTimeout } from "node:timers/promises";
import { daysBefore } from "../../src/vocabulary/times";
import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { extensionsOf } from "../support/refusals";
import { dataOf, refusalOf } from "./client";

const app = useApp();

interface Day {
  readonly date: string;
  readonly orders: number;
  readonly paid: number;
  readonly cancelled: number;
  readonly amount: string;
}

const byDay = async (from: string, to: string, timeZone?: string): Promise<Day[]> => {
  const document = `query ($from: Date!, $to: Date!, $timeZone: String! = "UTC") {
    salesByDay(from: $from, to: $to, timeZone: $timeZone) { date orders paid cancelled amount }
  }`;
  return (await dataOf<{ salesByDay: Day[] }>(app, document, { from, to, timeZone })).salesByDay;
};

/** Orders of 1.00 at these times. */
const placeAt = async (...times: string[]) => {
  for (const created_at of times) await app.make.order({ created_at, total_amount: "1.00" });
};

graphqlClause("10.sales.days", "each day has its orders, and zeros without any", async () => {
  const created_at = "2019-05-02T23:59:59.999Z";
  await app.make.order({ created_at, status: "PAID", total_amount: "99999999.99" });
  await app.make.order({ created_at, status: "PAID", total_amount: "99999999.99" });
  await app.make.order({ created_at, total_amount: "0.02" });
  await app.make.order({ created_at, status: "CANCELLED", total_amount: "5.00" });
  await placeAt("2019-05-03T00:00:00.000Z");
  expect(await byDay("2019-05-01", "2019-05-03")).toEqual([
    { date: "2019-05-01", orders: 0, paid: 0, cancelled: 0, amount: "0.00" },
    { date: "2019-05-02", orders: 4, paid: 2, cancelled: 1, amount: "200000000.00" },
    { date: "2019-05-03", orders: 1, paid: 0, cancelled: 0, amount: "1.00" },
  ]);
});

graphqlClauseEach<readonly [timeZone: string, first: string, starts: readonly string[]]>(
  "10.sales.days",
  "a day begins when the clocks of its time zone say so",
  {
    "23 hours": [
      "Europe/Berlin",
      "2020-03-28",
      ["2020-03-27T23:00Z", "2020-03-28T23:00Z", "2020-03-29T22:00Z", "2020-03-30T22:00Z"],
    ],
    "25 hours": [
      "america/new_york",
      "2020-11-01",
      ["2020-11-01T04:00Z", "2020-11-02T05:00Z", "2020-11-03T05:00Z"],
    ],
    "midnight that is skipped": [
      "America/Sao_Paulo",
      "2018-11-03",
      ["2018-11-03T03:00Z", "2018-11-04T03:00Z", "2018-11-05T02:00Z"],
    ],
    "midnight that comes twice": [
      "America/Havana",
      "2017-11-04",
      ["2017-11-04T04:00Z", "2017-11-05T04:00Z", "2017-11-06T05:00Z"],
    ],
    "a day that is skipped": [
      "Pacific/Apia",
      "2011-12-29",
      ["2011-12-29T10:00Z", "2011-12-30T10:00Z", "2011-12-30T10:00Z", "2011-12-31T10:00Z"],
    ],
    "half an hour": [
      "Australia/Lord_Howe",
      "2020-04-04",
      ["2020-04-03T13:00Z", "2020-04-04T13:00Z", "2020-04-05T13:30Z"],
    ],
  },
  async ([timeZone, first, starts]) => {
    await app.sql("DELETE FROM orders");
    for (const start of new Set(starts.map((each) => Date.parse(each)))) {
      await placeAt(new Date(start - 1).toISOString(), new Date(start).toISOString());
    }
    // Each day has the order of its first moment, and that of the last moment before the next day.
    const expected = starts.slice(0, -1).map((start, index) => ({
      date: daysBefore(new Date(first), -index).toISOString().slice(0, 10),
      orders: start === starts[index + 1] ? 0 : 2,
    }));
    const found = await byDay(first, expected.at(-1)!.date, timeZone);
    expect(found.map(({ date, orders }) => ({ date, orders }))).toEqual(expected);
  },
);

const noZone = "timeZone must be the IANA name of a time zone, such as Europe/Berlin";

graphqlClauseEach<readonly [variables: object, message: string]>(
  "10.sales.days",
  "a wrong period or time zone is refused",
  {
    "an unknown zone": [{ timeZone: "Europe/Atlantis" }, noZone],
    "an offset": [{ timeZone: "+01:00" }, noZone],
    "an end before its beginning": [{ to: "2020-12-31" }, "to must not be before from"],
    "401 days": [{ to: "2022-02-05" }, "to must be so that the period has at most 400 days"],
  },
  async ([variables, message]) => {
    const document = `query ($from: Date!, $to: Date!, $timeZone: String! = "UTC") {
      salesByDay(from: $from, to: $to, timeZone: $timeZone) { date }
    }`;
    const period = { from: "2021-01-01", to: "2021-01-01" };
    expect(await refusalOf(app, document, { ...period, ...variables })).toEqual(
      extensionsOf(400, [message]),
    );
  },
);

graphqlClause("10.sales.days", "400 days are a period, and 31 February is no day", async () => {
  expect(await byDay("2021-01-01", "2022-02-04", "Asia/Kathmandu")).toHaveLength(400);
  const noDay = '{ salesByDay(from: "2021-02-31", to: "2021-03-01") { date } }';
  const { code } = await refusalOf(app, noDay);
  expect(code).toBe("GRAPHQL_VALIDATION_FAILED");
});

graphqlClause("10.sales.totals", "orders that meet the filter are counted and summed", async () => {
  await app.sql("DELETE FROM orders");
  for (const [status, total_amount] of [
    ["PENDING", "99999999.99"],
    ["PAID", "99999999.99"],
    ["PAID", "1.00"],
    ["CANCELLED", "7.00"],
  ] as const) {
    await app.make.order({ status, total_amount, customer_email: `${status}@example.com` });
  }
  const totalsOf = async (filter?: object) =>
    (
      await dataOf<{ orderTotals: object }>(
        app,
        "query ($filter: OrderFilter) { orderTotals(filter: $filter) { orders amount } }",
        { filter },
      )
    ).orderTotals;
  expect(await totalsOf()).toEqual({ orders: 4, amount: "200000000.98" });
  expect(await totalsOf({ status: "PAID" })).toEqual({ orders: 2, amount: "100000000.99" });
  expect(await totalsOf({ statuses: ["CANCELLED"] })).toEqual({ orders: 1, amount: "0.00" });
  expect(await totalsOf({ customerSearch: "ending@" })).toEqual({
    ...{ orders: 1, amount: "99999999.99" },
  });
  expect(await totalsOf({ ids: [] })).toEqual({ orders: 0, amount: "0.00" });
});

describe("best sellers", () => {
  const bestSellers = async (from: string, before: string, first = 10) =>
    (
      await dataOf<{ bestSellers: { asOf: string; data: object[] } }>(
        app,
        `query ($from: DateTime!, $before: DateTime!, $first: Int!) {
          bestSellers(from: $from, before: $before, first: $first) {
            asOf data { productId productName quantity amount }
          }
        }`,
        { from, before, first },
      )
    ).bestSellers;

  graphqlClause("10.sales.best", "products are listed by what they sold for", async () => {
    const [sencha, assam, other] = [
      await app.make.product({ name: "Sencha" }),
      await app.make.product({ name: "Assam" }),
      await app.make.product(),
    ];
    const sell = async (
      created_at: string,
      status: "PAID" | "CANCELLED",
      ...items: (readonly [product: { id: number }, quantity: number, unit_price: string])[]
    ) => {
      const { id: order_id } = await app.make.order({ created_at, status });
      for (const [{ id: product_id }, quantity, unit_price] of items) {
        await app.make.orderItem({ order_id, product_id, quantity, unit_price });
      }
    };
    await sell("2015-01-01T00:00:00Z", "PAID", [sencha, 2, "3.00"], [assam, 1, "7.00"]);
    await sell("2015-01-31T23:59:59.999Z", "PAID", [sencha, 1, "3.50"]);
    await sell("2015-01-15T00:00:00Z", "CANCELLED", [other, 9, "9.00"]);
    await sell("2015-02-01T00:00:00Z", "PAID", [other, 9, "9.00"]);
    await app.sql("UPDATE order_items SET product_name = 'Sencha of May' WHERE unit_price = 3.50");
    const [from, before] = ["2015-01-01T00:00:00Z", "2015-02-01T00:00:00Z"];
    const best = {
      productId: sencha.id,
      productName: "Sencha of May",
      quantity: 3,
      amount: "9.50",
    };
    const { data, asOf } = await bestSellers(from, before);
    expect(data).toEqual([
      best,
      { productId: assam.id, productName: "Assam", quantity: 1, amount: "7.00" },
    ]);
    expect((await bestSellers(from, before, 1)).data).toEqual([best]);
    expect(await bestSellers(from, before)).toEqual({ data, asOf });
    expect(Math.abs(Date.now() - Date.parse(asOf))).toBeLessThan(60_000);
  });

  graphqlClause("10.sales.best", "they may take longer to find than other lists", async () => {
    const data = await besideLock(app, "LOCK TABLE orders", async (holder) => {
      const found = bestSellers("2016-01-01T00:00:00Z", "2016-02-01T00:00:00Z");
      await eventually(async () => (await waitingForLocks(app)) > 0);
      await setTimeout(2_000); // a statement of the pool ends after 1.8 s
      await holder.query("COMMIT");
      return (await found).data;
    });
    expect(data).toEqual([]);
  });

  graphqlClause("10.sales.best", "a period has at most 400 days", async () => {
    const document = `query ($before: DateTime!) {
      bestSellers(from: "2021-01-01T00:00:00Z", before: $before) { asOf }
    }`;
    await dataOf(app, document, { before: "2022-02-05T00:00:00Z" });
    for (const before of ["2022-02-05T00:00:00.001Z", "2020-12-31T23:59:59Z"]) {
      const { http } = await refusalOf(app, document, { before });
      expect(http.statusCode).toBe(400);
    }
  });
});
