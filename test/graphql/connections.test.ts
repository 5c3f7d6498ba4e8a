import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { dataOf, refusalOf } from "./client";
import { PART, type Connection } from "./walk";
import { extensionsOf } from "../support/refusals";

let categoryId: number;
const app = useApp();
beforeAll(async () => {
  categoryId = (await app.make.category()).id;
});
beforeEach(async () => {
  await app.sql("TRUNCATE products, orders CASCADE");
});

const query = `query ($first: Int, $after: String, $filter: ProductFilter) {
  productsConnection(first: $first, after: $after, filter: $filter) {
    ${PART}
  }
}`;

const read = async (variables: object): Promise<Connection> =>
  (await dataOf<{ productsConnection: Connection }>(app, query, variables)).productsConnection;

/** Products, newest first; several of each moment. */
async function products(count: number): Promise<number[]> {
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO products (name, slug, price, category_id, created_at, is_active)
     SELECT 'Tea ' || n, 'tea-' || n, 1, $1, '2024-01-01'::timestamptz + (n / 4) * interval '1 hour', n % 2 = 0
     FROM generate_series(1, $2::integer) n RETURNING id`,
    [categoryId, count],
  );
  return rows.map(({ id }) => id).reverse();
}

graphqlClause("10.connections", "parts follow one another, newest first", async () => {
  const ids = await products(7);
  const first = await read({ first: 3 });
  const second = await read({ first: 3, after: first.pageInfo.endCursor });
  const third = await read({ first: 3, after: second.pageInfo.endCursor });
  const parts = [first, second, third];
  expect(parts.map(({ edges }) => edges.map(({ node }) => node.id))).toEqual([
    ids.slice(0, 3),
    ids.slice(3, 6),
    ids.slice(6),
  ]);
  for (const { edges, pageInfo } of parts) {
    expect(pageInfo.startCursor).toBe(edges.at(0)?.cursor);
    expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor);
  }
  const flags = parts.map(({ pageInfo }) => [pageInfo.hasPreviousPage, pageInfo.hasNextPage]);
  expect(flags).toEqual([
    [false, true],
    [true, true],
    [true, false],
  ]);
  // All that match, wherever the part begins.
  expect(parts.map(({ totalCount }) => totalCount)).toEqual([7, 7, 7]);
});

graphqlClauseEach<[filter: object | null]>(
  "10.connections",
  "a part that ends with the list has no next one",
  { "of a list whose total is stored": [null], "of one that is counted": [{ minPrice: "0.50" }] },
  async ([filter]) => {
    await products(6);
    const first = await read({ first: 3, filter });
    const last = await read({ first: 3, filter, after: first.pageInfo.endCursor });
    expect(last.pageInfo).toMatchObject({ hasNextPage: false });
    const beyond = await read({ first: 3, filter, after: last.pageInfo.endCursor });
    expect(beyond).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
      totalCount: 6,
    });
  },
);

test("an empty list", async () => {
  expect(await read({})).toEqual({
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    totalCount: 0,
  });
});

graphqlClause("10.connections", "10 entries where nothing is said, 50 at most", async () => {
  await products(60);
  expect((await read({})).edges).toHaveLength(10);
  expect((await read({ first: 50 })).edges).toHaveLength(50);
});

graphqlClause("10.connections.cursors", "cursors tell nothing, and fit into URLs", async () => {
  await products(1);
  const { edges } = await read({});
  expect(edges[0]?.cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(edges[0]?.cursor).not.toContain("2024");
});

const encode = (text: string) => Buffer.from(text).toString("base64url");

graphqlClauseEach<string>(
  "10.connections.cursors",
  "a forged cursor is refused",
  {
    nothing: "",
    "no base64": "%%%",
    "an id of 0": encode("1704067200000:0"),
    "an id beyond the database's": encode("1704067200000:2147483648"),
    "a time that no Date has": encode("8640000000000001:1"),
    "a fraction": encode("1704067200000.5:1"),
    SQL: encode("1704067200000:1; DROP TABLE products"),
    NUL: encode("1704067200000:1\0"),
  },
  async (after) => {
    for (const field of ["productsConnection", "ordersConnection"]) {
      const forged = `query ($after: String) { ${field}(after: $after) { edges { cursor } } }`;
      const message = ["after must be a cursor of this connection"];
      expect(await refusalOf(app, forged, { after })).toEqual(extensionsOf(400, message));
    }
  },
);

test.each([0, -1, 51, 2_147_483_647])("first: %i is no page size", async (first) => {
  for (const field of ["productsConnection", "ordersConnection"]) {
    const sized = `query ($first: Int) { ${field}(first: $first) { edges { cursor } } }`;
    expect(await refusalOf(app, sized, { first })).toEqual(
      extensionsOf(400, "Page size must be between 1 and 50"),
    );
  }
});
