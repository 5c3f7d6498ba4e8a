import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { extensionsOf } from "../support/refusals";
import { dataOf, refusalOf } from "./client";
import { idsOf, PART, walk, type Connection } from "./walk";

jest.setTimeout(60_000);

let categoryId: number;

const names = [
  ...[
    ...["assam", "Assam", "ASSAM", "Éclair", "eclair", "zebra: a tea", "Zebra", "10:1"],
    "NAME ASC x:3",
  ],
  ...["茶".repeat(120), "🍵".repeat(120), "Ärger", "ß", "a", "A"],
];

/** Several products of each time, name and price. */
const app = useApp();
beforeAll(async () => {
  categoryId = (await app.make.category()).id;
  await app.sql(
    `INSERT INTO products (name, slug, price, category_id, created_at, is_active)
     SELECT name, 'tea-' || place || '-' || n, (place + n) % 5 / 2.0, $1,
            '2024-01-01'::timestamptz + (place + n) % 4 * interval '1 hour', n = 1
     FROM unnest($2::text[]) WITH ORDINALITY AS names (name, place), generate_series(1, 2) AS n`,
    [categoryId, names],
  );
});

const query = `query ($first: Int, $after: String, $last: Int, $before: String,
    $filter: ProductFilter, $sort: ProductSort) {
  productsConnection(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: $sort) {
    ${PART}
  }
}`;

const read = async (variables: object): Promise<Connection> =>
  (await dataOf<{ productsConnection: Connection }>(app, query, variables)).productsConnection;

const columns = { CREATED_AT: "created_at", NAME: "lower(name)", PRICE: "price" };
const sorts = Object.keys(columns).flatMap((field) =>
  ["ASC", "DESC"].map((direction) => ({ field: field as keyof typeof columns, direction })),
);
type Sort = (typeof sorts)[number];
const bySort = Object.fromEntries(
  sorts.map((sort): [string, Sort] => [`${sort.field} ${sort.direction}`, sort]),
);

/** The products in the order of the sort, by a statement of the test's own. */
async function sorted({ field, direction }: Sort, where = "true"): Promise<number[]> {
  const rows = await app.sql<{ id: number }>(
    `SELECT id FROM products WHERE ${where}
     ORDER BY ${columns[field]} ${direction}, id ${direction}`,
  );
  return rows.map(({ id }) => id);
}

graphqlClauseEach<Sort>(
  "10.connections.sort",
  "parts follow one another in the order of the sort, from its beginning and from its end",
  bySort,
  async (sort) => {
    const ids = await sorted(sort);
    for (const size of [3, 7, 50]) {
      const forwards = await walk(size, "forwards", (request) => read({ ...request, sort }));
      expect(forwards.flatMap(idsOf)).toEqual(ids);
      const backwards = await walk(size, "backwards", (request) => read({ ...request, sort }));
      expect(backwards.toReversed().flatMap(idsOf)).toEqual(ids);
    }
  },
);

graphqlClauseEach<Sort>(
  "10.connections.sort",
  "a filter holds in every order",
  bySort,
  async (sort) => {
    const filter = { isActive: true, minPrice: "0.50" };
    const ids = await sorted(sort, "is_active AND price >= 0.5");
    for (const way of ["forwards", "backwards"] as const) {
      const parts = await walk(4, way, (request) => read({ ...request, sort, filter }));
      expect((way === "forwards" ? parts : parts.toReversed()).flatMap(idsOf)).toEqual(ids);
      expect(parts.map(({ totalCount }) => totalCount)).toEqual(parts.map(() => ids.length));
    }
  },
);

graphqlClauseEach<Sort>(
  "10.connections.cursors",
  "a cursor of another sort is refused",
  bySort,
  async (sort) => {
    const { edges } = await read({ first: 5, sort });
    const others = sorts.filter((other) => other !== sort);
    for (const { cursor } of edges) {
      for (const other of others) {
        expect(await refusalOf(app, query, { after: cursor, sort: other })).toEqual(
          extensionsOf(400, ["after must be a cursor of this connection"]),
        );
      }
    }
    const before = edges[0]!.cursor;
    expect(await refusalOf(app, query, { before, sort: others[0] })).toEqual(
      extensionsOf(400, ["before must be a cursor of this connection"]),
    );
  },
);

const encode = (text: string) => Buffer.from(text).toString("base64url");

graphqlClauseEach<[field: string, text: string]>(
  "10.connections.cursors",
  "a forged cursor of another order is refused",
  {
    "a name with NUL": ["NAME", "a\0:1"],
    "a name of 121 characters": ["NAME", `${"a".repeat(121)}:1`],
    "a name with an id of 0": ["NAME", "a:0"],
    "a price that is none": ["PRICE", "NaN:1"],
    "a negative price": ["PRICE", "-1:1"],
    "a time that is none": ["CREATED_AT", "x:1"],
    "nothing more": ["PRICE", ""],
  },
  async ([field, text]) => {
    const sort = { field, direction: "ASC" };
    const after = encode(`${field} ASC ${text}`);
    expect(await refusalOf(app, query, { after, sort })).toEqual(
      extensionsOf(400, ["after must be a cursor of this connection"]),
    );
  },
);

graphqlClause("10.connections.cursors", "a cursor of the newest is a time and an id", async () => {
  const ids = await sorted({ field: "CREATED_AT", direction: "DESC" });
  const [row] = await app.sql<{ time: string }>(
    "SELECT (extract(epoch FROM created_at) * 1000)::bigint::text AS time FROM products WHERE id = $1",
    [ids[6]],
  );
  const after = encode(`${row!.time}:${ids[6]}`);
  expect(idsOf(await read({ first: 3, after }))).toEqual(ids.slice(7, 10));
  const sort = { field: "CREATED_AT", direction: "DESC" };
  expect(idsOf(await read({ last: 3, before: after, sort }))).toEqual(ids.slice(3, 6));
});

graphqlClause("10.connections.backwards", "parts from the end say where they stand", async () => {
  const filter = { isActive: true };
  const ids = (await read({ first: 50, filter })).edges.map(({ node }) => node.id);
  expect(ids).toHaveLength(15);
  const parts = await walk(6, "backwards", (request) => read({ ...request, filter }));
  expect(parts.map(idsOf)).toEqual([ids.slice(9), ids.slice(3, 9), ids.slice(0, 3)]);
  for (const { edges, pageInfo } of parts) {
    expect(pageInfo.startCursor).toBe(edges.at(0)?.cursor);
    expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor);
  }
  const flags = parts.map(({ pageInfo }) => [pageInfo.hasPreviousPage, pageInfo.hasNextPage]);
  expect(flags).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
  expect(parts.map(({ totalCount }) => totalCount)).toEqual([15, 15, 15]);
  // Forwards and backwards meet.
  const again = await read({ first: 6, after: parts[2]!.pageInfo.endCursor, filter });
  expect(idsOf(again)).toEqual(ids.slice(3, 9));
  expect(again.edges).toEqual(parts[1]!.edges);
});

graphqlClause("10.connections.backwards", "the first part has no previous one", async () => {
  const first = await read({ first: 3 });
  const start = first.edges[2]!.cursor;
  expect((await read({ last: 2, before: start })).pageInfo).toMatchObject({
    hasPreviousPage: false,
    hasNextPage: true,
  });
  const none = await read({ last: 2, before: first.pageInfo.startCursor });
  expect(none).toMatchObject({
    edges: [],
    pageInfo: { hasPreviousPage: false, hasNextPage: true, startCursor: null, endCursor: null },
  });
});

graphqlClauseEach<object>(
  "10.connections.backwards",
  "both kinds at once are refused",
  {
    "both sizes": { first: 1, last: 1 },
    "the other way round": { last: 1, after: "MTox" },
    "both cursors": { after: "MTox", before: "MTox" },
  },
  async (request) => {
    for (const field of ["productsConnection", "ordersConnection"]) {
      const both = `query ($first: Int, $after: String, $last: Int, $before: String) {
        ${field}(first: $first, after: $after, last: $last, before: $before) { totalCount } }`;
      expect(await refusalOf(app, both, request)).toEqual(
        extensionsOf(400, ["first and after can't be combined with last and before"]),
      );
    }
  },
);

graphqlClause("10.connections.backwards", "orders too", async () => {
  const ids: number[] = [];
  for (let index = 0; index < 7; index += 1) {
    ids.unshift((await app.make.order({ created_at: "2024-01-01T00:00:00Z" })).id);
  }
  const list = `query ($last: Int, $before: String) {
    ordersConnection(last: $last, before: $before) { ${PART} } }`;
  const parts = await walk(3, "backwards", async (request) => {
    const { ordersConnection } = await dataOf<{ ordersConnection: Connection }>(app, list, request);
    await app.make.order(); // newer ones come first, and do not shift what is read
    return ordersConnection;
  });
  expect(parts.slice(0, 2).map(idsOf)).toEqual([ids.slice(4), ids.slice(1, 4)]);
  expect(parts.slice(2).flatMap(idsOf)).toContain(ids[0]);
});

graphqlClause("10.connections.backwards", "others' changes hide and repeat nothing", async () => {
  const sort: Sort = { field: "NAME", direction: "ASC" };
  const filter = { minPrice: "1.50", maxPrice: "1.50" };
  for (const way of ["forwards", "backwards"] as const) {
    const ids = await sorted(sort, "price = 1.5");
    const parts = await walk(2, way, async (request) => {
      const part = await read({ ...request, sort, filter });
      for (const name of ["0", "zz"]) {
        await app.make.product({ name, price: "1.50", category_id: categoryId });
      }
      // Even the entry that the cursor points at may go.
      const gone = idsOf(part).at(way === "forwards" ? -1 : 0);
      await app.sql("UPDATE products SET price = 9 WHERE id = $1", [gone]);
      return part;
    });
    const inOrder = way === "forwards" ? parts : parts.toReversed();
    expect(inOrder.flatMap(idsOf).filter((id) => ids.includes(id))).toEqual(ids);
  }
});
