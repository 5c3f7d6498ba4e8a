import { useApp } from "../support/app";
import { everythingStored } from "../support/stored";
import { dataOf, execute, refusalOf } from "./client";
import { extensionsOf } from "../support/refusals";

// What a client gets wrong is never a fault of ours: no 500 that raises the operator's alarm.

const app = useApp();
beforeAll(async () => {
  const product = await app.make.product();
  const order = await app.make.order({ created_at: "2026-01-31T09:30:00Z" });
  await app.make.orderItem({ order_id: order.id, product_id: product.id });
});
afterAll(() => {
  expect(app.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const PAGE = "Page must be greater than or equal to 1";
const PAGE_SIZE = "Page size must be between 1 and 50";

test.each<[string, string, string]>([
  ["a page", "query ($n: Int) { products(page: $n) { data { id } } }", PAGE],
  ["a page size", "query ($n: Int) { products(pageSize: $n) { data { id } } }", PAGE_SIZE],
  [
    "a page size in fragments",
    `query ($n: Int) { ...Some }
     fragment Some on Query { ... { newsletterSubscribers(pageSize: $n) { data { id } } } }`,
    PAGE_SIZE,
  ],
])("null for %s is refused as REST refuses it", async (_label, query, message) => {
  expect(await refusalOf(app, query, { n: null })).toEqual(extensionsOf(400, message));
});

test.each<[string, string, string]>([
  [
    "a sort field",
    "query ($x: ProductSortField) { products(sort: { field: $x }) { data { id } } }",
    'Argument "sort" has invalid value { field: $x }.',
  ],
  [
    "an id that has a default",
    "query ($x: Int = 1) { order(id: $x) { id } }",
    'Argument "id" of non-null type "Int!" must not be null.',
  ],
  [
    "a condition of @skip below a list, where counting is decided",
    "query ($x: Boolean = true) { products { data { id } meta @skip(if: $x) { total } } }",
    'Argument "if" of non-null type "Boolean!" must not be null.',
  ],
])("null for %s is refused in the language's own words", async (_label, query, message) => {
  expect(await refusalOf(app, query, { x: null })).toEqual(
    extensionsOf(400, message.replace(/\{ (.*) \}/, "{$1}")),
  );
});

test("a mutation that is refused for a null has changed nothing, not in its first fields either", async () => {
  const before = await everythingStored(app);
  const query = `mutation ($id: Int = 1) {
    createCategory(input: { name: "Green" }) { id }
    deleteCategory(id: $id) { id }
  }`;
  const message = 'Argument "id" of non-null type "Int!" must not be null.';
  expect(await refusalOf(app, query, { id: null })).toEqual(extensionsOf(400, message));
  expect(await everythingStored(app)).toEqual(before);
});

test("null where nothing asks for it is no mistake", async () => {
  const query = `query ($n: Int, $no: Boolean!) {
    categories { id }
    products(pageSize: $n) @include(if: $no) { data { id } }
    ... @include(if: $no) { orders(page: $n) { data { id } } }
    ...Other @include(if: $no)
  }
  fragment Other on Query { newsletterSubscribers(pageSize: $n) { data { id } } }`;
  expect(await dataOf(app, query, { n: null, no: false })).toHaveProperty("categories");
});

test.each(["subscription { x }", "subscription S($id: Int) { products(id: $id) { id } }"])(
  "%s: a kind of operation that there is none of does not validate",
  async (query) => {
    const { status, body } = await execute(app, { query });
    const message = "The subscription operation is not supported by the schema.";
    expect(status).toBe(200);
    expect(body.errors?.map(({ extensions }) => extensions)).toEqual([
      extensionsOf(400, message, { code: "GRAPHQL_VALIDATION_FAILED" }),
    ]);
  },
);

const cursorOf = (time: number, id: number): string =>
  Buffer.from(`${time}:${id}`).toString("base64url");

test("a cursor of any time that PostgreSQL holds is one", async () => {
  const query = `query ($after: String) { ordersConnection(after: $after) { edges { cursor } } }`;
  const lengths = [];
  for (const time of [999_999_999_999_999, 253_402_300_800_000, 0, Date.UTC(-4712, 0, 1)]) {
    const after = cursorOf(time, 1);
    const data = await dataOf<{ ordersConnection: { edges: object[] } }>(app, query, { after });
    lengths.push(data.ordersConnection.edges.length);
  }
  expect(lengths).toEqual([1, 1, 0, 0]);
});

test("bounds as far out as a time can be written are compared as what they are", async () => {
  const query = `query ($filter: OrderFilter) { orders(filter: $filter) { meta { total } } }`;
  const totals = [];
  for (const time of ["0000-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999999-14:00"]) {
    for (const bound of ["placedFrom", "placedBefore"]) {
      const { orders } = await dataOf<{ orders: { meta: { total: number } } }>(app, query, {
        filter: { [bound]: time },
      });
      totals.push(orders.meta.total);
    }
  }
  expect(totals).toEqual([1, 0, 0, 1]);
});

test.each<unknown>([
  ...["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "2026-02-30T00:00:00Z"],
  ...["2026-01-31T23:59:60Z", "2026-01-31T09:30:00|01:00", "infinity", "epoch", "", "\0"],
  ...[-8_640_000_000_000_000, 0, 1e300, true],
])("%j is no time", async (time) => {
  const query = `query ($filter: OrderFilter) { orders(filter: $filter) { data { id } } }`;
  for (const bound of ["placedFrom", "placedBefore"]) {
    const { code } = await refusalOf(app, query, { filter: { [bound]: time } });
    expect(code).toBe("BAD_USER_INPUT");
  }
});

test.each(["\0", "green\0tea", "\ud800"])("nothing is stored under the slug %j", async (slug) => {
  for (const field of ["product", "category"]) {
    const query = `query ($slug: String) { ${field}(slug: $slug) { id } }`;
    expect(await dataOf(app, query, { slug })).toEqual({ [field]: null });
  }
});
