import { erase } from "../record/customers";
import { change, entries, type Entry } from "../record/entries";
import { startReplica, useApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { tablesWith } from "../support/dump";
import { eventually } from "../support/eventually";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

const app = useApp();

const ask = (
  path: string,
  { at = app, authorization = app.asAdmin, method = "GET" }: Partial<Asked> = {},
): Promise<Response> =>
  fetch(`${at.url}/admin/export/${path}`, { method, headers: { authorization } });

interface Asked {
  readonly at: TestApp;
  readonly authorization: string;
  readonly method: string;
}

/** The file of an export, with the byte order mark that `text()` would leave out. */
const fileOf = async (path: string): Promise<string> => {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return Buffer.from(await response.arrayBuffer()).toString();
};

/** The entries of the audit log, once both of the last export are there. */
const entriesOfExport = (): Promise<Entry[]> =>
  eventually(async () => {
    const all = await entries(app, { operation: "export" });
    return all.length > 0 && all.length % 2 === 0 && all;
  });

beforeAll(async () => {
  const { id: category_id } = await app.make.category({ name: "Green", slug: "green" });
  const sencha = await app.make.product({
    ...{ category_id, name: "=Sencha", slug: "sencha", price: "1234.50" },
  });
  await app.make.product({ category_id, slug: "assam", name: "Assam", is_active: false });
  for (const [customer_email, status, created_at] of [
    ["ada@example.com", "PAID", "2026-03-29T00:30:00Z"],
    ["Bo@example.com", "PENDING", "2026-03-29T01:30:00Z"],
  ] as const) {
    const { id: order_id } = await app.make.order({
      ...{ customer_email, status, created_at, total_amount: "2469.00" },
    });
    await app.make.orderItem({
      order_id,
      product_id: sencha.id,
      quantity: 2,
      unit_price: "1234.50",
    });
  }
  await app.sql("UPDATE products SET created_at = '2026-01-01T00:00:00Z'");
  await app.make.subscriber({ email: "reader@example.com" });
  await app.sql("UPDATE newsletter_subscribers SET created_at = '2026-01-01T12:00:00Z'");
});

const HEAD = "orderId,status,customerEmail,createdAt,totalAmount";
const ADA = "1,PAID,ada@example.com,2026-03-29T00:30:00.000Z,2469.00";
const BO = "2,PENDING,Bo@example.com,2026-03-29T01:30:00.000Z,2469.00";

clauseEach<readonly [path: string, lines: readonly string[]]>(
  "11.export",
  "a list is written as the command line's export writes it",
  {
    "orders, a line for each item": [
      "orders",
      [
        `${HEAD},product,productName,quantity,unitPrice`,
        `${ADA},sencha,'=Sencha,2,1234.50`,
        `${BO},sencha,'=Sencha,2,1234.50`,
      ],
    ],
    "some orders, a line for each": [
      "orders?rows=orders&status=PAID&statuses=PAID,PENDING&ids=1&ids=2&productId=1&customerSearch=ADA",
      [HEAD, ADA],
    ],
    "orders of a time": [
      "orders?rows=orders&placedFrom=2026-03-29T03:00:00%2B02:00&placedBefore=2026-03-30T00:00:00Z",
      [HEAD, BO],
    ],
    "orders as JSON": [
      "orders?format=jsonl&customerEmail=BO@example.com",
      [
        '{"orderId":2,"status":"PENDING","customerEmail":"Bo@example.com","createdAt":"2026-03-29T01:30:00.000Z","totalAmount":"2469.00","items":[{"product":"sencha","productName":"=Sencha","quantity":2,"unitPrice":"1234.50"}]}',
      ],
    ],
    products: [
      "products?isActive=true&categoryId=1&minPrice=1000&search=sencha",
      [
        "type,slug,name,isActive,createdAt,category,price,description",
        "product,sencha,'=Sencha,true,2026-01-01T00:00:00.000Z,green,1234.50,",
      ],
    ],
    subscribers: [
      "subscribers",
      ["email,isActive,createdAt", "reader@example.com,true,2026-01-01T12:00:00.000Z"],
    ],
  },
  async ([path, lines]) => {
    expect(await fileOf(path)).toBe([...lines, ""].join("\n"));
  },
);

clauseEach<readonly [path: string, text: string]>(
  "11.export.people",
  "people read words, local times and amounts, and no formulas",
  {
    "in Germany, whose clocks change in between": [
      "orders?for=people&timeZone=Europe/Berlin&locale=de-DE",
      [
        "\uFEFFOrder;Placed;State;Customer;Total;Product;Quantity;Unit price",
        "1;2026-03-29 01:30:00;Paid;ada@example.com;2469,00;'=Sencha;2;1234,50",
        "2;2026-03-29 03:30:00;Waiting for payment;Bo@example.com;2469,00;'=Sencha;2;1234,50",
        "",
      ].join("\r\n"),
    ],
    "in Nepal": [
      "orders?for=people&rows=orders&ids=1&timeZone=Asia/Kathmandu&locale=en-GB",
      "\uFEFFOrder,Placed,State,Customer,Total\n1,2026-03-29 06:15:00,Paid,ada@example.com,2469.00\n",
    ],
    "of products": [
      "products?for=people&isActive=false",
      "\uFEFFName,Category,Price,On sale,Description,Address,Created\nAssam,green,10.00,No,,assam,2026-01-01 00:00:00\n",
    ],
  },
  async ([path, text]) => {
    expect(await fileOf(path)).toBe(text);
  },
);

clauseEach<readonly [path: string, message: string]>(
  "11.export",
  "what can't be read is refused",
  {
    "a date without a time": [
      "orders?placedFrom=2026-01-01",
      "placedFrom must be a time with its offset, such as 2026-01-31T09:30:00Z",
    ],
    "an unknown filter": ["orders?state=PAID", "property state should not exist"],
    "a filter that the list has not": ["subscribers?email=a", "property email should not exist"],
    "no state": [
      "orders?statuses=PAID,x",
      "statuses must be some of the following values: PENDING, PAID, CANCELLED",
    ],
    "no format": ["orders?format=xml", "format must be one of the following values: csv, jsonl"],
    "no zone": [
      "orders?timeZone=Mars",
      "timeZone must be the IANA name of a time zone, such as Europe/Berlin",
    ],
    "no language": ["orders?locale=-", "locale must be a language tag, such as de-DE"],
    "JSON for people": ["orders?format=jsonl&for=people", "for must be programs, or format csv"],
  },
  async ([path, message]) => {
    const response = await ask(path);
    expect([response.status, await response.json()]).toEqual([400, errorBody(400, [message])]);
  },
);

clause("11.export", "it is a file for administrators alone, and for no cache", async () => {
  const day = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: "Asia/Tokyo" });
  const before = day.format();
  const { headers } = await ask("orders?timeZone=Asia/Tokyo");
  const names = [before, day.format()].map((each) => `attachment; filename="orders-${each}.csv"`);
  expect(names).toContain(headers.get("content-disposition"));
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  const refused = await ask(`orders?access_token=${app.asAdmin.slice(7)}`, { authorization: "" });
  expect([refused.status, await refused.json()]).toEqual([401, errorBody(401)]);
});

clause("11.export", "without EXPLORER there is none", async () => {
  const other = await startReplica(app, { ...{ explorer: false } });
  try {
    expect((await ask("orders", { at: other })).status).toBe(404);
  } finally {
    await other.close();
  }
});

clause("11.export.audit", "the audit log has the filters first, then how it ended", async () => {
  const before = (await entriesOfExport()).length;
  await fileOf("orders?rows=orders&statuses=PAID,PENDING&placedFrom=2026-01-01T00:00:00Z");
  await ask("orders", { method: "HEAD" });
  const left = await eventually(async () => {
    const all = await entries(app, { operation: "export" });
    return all.length === before + 2 && all.slice(before);
  });
  const about = { door: "REST", operation: "export", subject: "ORDER", subjectId: null };
  expect(left).toMatchObject([
    {
      ...about,
      changes: [
        change("statuses", null, "PAID,PENDING"),
        change("placedFrom", null, "2026-01-01T00:00:00.000Z"),
      ],
    },
    { ...about, changes: [change("rows", null, "2"), change("isComplete", null, "true")] },
  ]);
  expect(left[0]!.actor).toMatch(/^admin-/);
  expect(left[0]!.requestId).toBe(left[1]!.requestId);
});

clause("11.export.audit", "an erasure takes addresses and their parts out of filters", async () => {
  await app.make.order({ customer_email: "Fatima.K@example.com" });
  await fileOf("orders?customerEmail=fatima.k@EXAMPLE.com");
  await fileOf("orders?customerSearch=Fatima.k");
  await fileOf("orders?customerSearch=somebody");
  await fileOf("products?search=fatima.k@example.com");
  await entriesOfExport();
  const { tombstone } = await erase(app, "fatima.k@example.com");
  expect(await tablesWith(app, "fatima.k")).toEqual([]);
  const filters = (await entries(app, { operation: "export" })).flatMap(({ changes }) => changes);
  const after = (field: string) =>
    filters.filter((each) => each.field === field).map((each) => each.after);
  expect(after("customerEmail").at(-1)).toBe(tombstone);
  expect(after("customerSearch").slice(-2)).toEqual([tombstone, "somebody"]);
  expect(after("search").at(-1)).toBe(tombstone);
});

describe("an export that breaks off", () => {
  const ORDERS = 60_000;
  beforeAll(async () => {
    await app.sql(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO orders (customer_email, total_amount)
       SELECT concat(repeat('x', 200), n, '@example.com'), 1 FROM generate_series(1, ${ORDERS}) AS n; COMMIT`,
    );
  });

  /** Begins an export that nobody reads on, and returns what reads the rest. */
  async function begun(): Promise<{
    readonly rest: () => Promise<void>;
    leave: () => Promise<void>;
  }> {
    const { body } = await ask("orders?rows=orders");
    const reader = body!.getReader();
    await reader.read();
    return {
      rest: async () => {
        while (!(await reader.read()).done);
      },
      leave: () => reader.cancel(),
    };
  }

  const end = async (): Promise<Entry["changes"]> => (await entriesOfExport()).at(-1)!.changes;

  clause("11.export.cut", "is no complete answer", async () => {
    await entriesOfExport();
    const { rest } = await begun();
    await eventually(async () => {
      const ended = await app.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'FETCH % FROM batches' AND state LIKE 'idle in%'`,
      );
      return ended.length > 0;
    });
    await expect(rest()).rejects.toThrow();
    const [rows, isComplete] = await end();
    expect(Number(rows!.after)).toBeLessThan(ORDERS);
    expect(isComplete).toEqual(change("isComplete", null, "false"));
  });

  clause("11.export.cut", "ends with its client", async () => {
    await entriesOfExport();
    const { leave } = await begun();
    await leave();
    expect(await end()).toContainEqual(change("isComplete", null, "false"));
  });
});
