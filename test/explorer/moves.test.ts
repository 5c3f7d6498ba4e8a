import { changed } from "../../src/explorer/client/answers/changes";
import { asksForAnother, pagingOf } from "../../src/explorer/client/answers/paging";
import { orderOf, sortedBy, sortingOf } from "../../src/explorer/client/answers/sorting";
import { tablesIn } from "../../src/explorer/client/answers/tables-in";
import { shopSchema } from "./schema";

const shop = shopSchema();

/** The table of the only field of a query. */
function tableOf(query: string, variables: object, value: unknown) {
  const [key = ""] = /(?<=^\{ |\) \{ )\w+/.exec(query) ?? [];
  const request = { query, variables: variables as Record<string, unknown> };
  return tablesIn(shop, request, { [key]: value })[0]!;
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

describe("pages", () => {
  const page = (variables: object, meta: object | undefined, count = 2) =>
    pagingOf(
      tableOf(
        "query($page: Int! = 3) { orders(page: $page, pageSize: 2) { meta { total page totalPages } data { id } } }",
        variables,
        {
          data: rows(count),
          meta,
        },
      ),
    );

  test("go to those around the one that is shown", () => {
    expect(page({ page: 2 }, { total: 5, page: 2, totalPages: 3 })).toMatchObject({
      current: 2,
      totalPages: 3,
      previous: { page: 1 },
      next: { page: 3 },
    });
    expect(page({}, { total: 5, page: 3, totalPages: 3 })).toMatchObject({ previous: { page: 2 } });
    expect(page({}, { total: 5, page: 3, totalPages: 3 })?.next).toBeUndefined();
    expect(page({ page: 1 }, { total: 5 })?.previous).toBeUndefined();
  });

  test("without a count end where a page is not full", () => {
    expect(page({ page: 7 }, undefined)?.next).toEqual({ page: 8 });
    expect(page({ page: 7 }, undefined, 1)?.next).toBeUndefined();
  });

  test("go back to the last one from behind the end", () => {
    expect(page({ page: 9 }, { total: 5, page: 9, totalPages: 3 }, 0)?.previous).toEqual({
      page: 3,
    });
  });

  test("are fixed where no variable is bound", () => {
    const query = "{ orders(page: 2) { data { id } } }";
    expect(pagingOf(tableOf(query, {}, { data: rows(9) }))).toBeUndefined();
  });
});

describe("parts by cursor", () => {
  const forwards =
    "query($first: Int, $after: String) { orders: ordersConnection(first: $first, after: $after) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { id } } } }";
  const both = forwards
    .replace("$after: String", "$after: String, $last: Int, $before: String")
    .replace("after: $after", "after: $after, last: $last, before: $before");
  const pageInfo = { hasNextPage: true, hasPreviousPage: true, startCursor: "s", endCursor: "e" };
  const value = { pageInfo, edges: [{ node: { id: 1 } }] };

  test("go on at the end, and back along the cursors that were visited", () => {
    const table = tableOf(forwards, { first: 5, after: "m" }, value);
    expect(pagingOf(table)).toMatchObject({
      first: { after: undefined, first: 5 },
      next: { after: "e", first: 5 },
    });
    expect(pagingOf(table)?.previous).toBeUndefined();
    const visited = new Map([
      ["m", "k"],
      ["k", undefined],
    ] as const);
    expect(pagingOf(table, visited)?.previous).toEqual({ after: "k", first: 5 });
  });

  test("go back from their first entry where that is bound", () => {
    const table = tableOf(both, { first: 5, after: "m" }, value);
    expect(changed({ first: 5, after: "m", other: 1 }, pagingOf(table)!.previous!)).toEqual({
      before: "s",
      last: 5,
      other: 1,
    });
    const back = tableOf(both, { last: 5, before: "s" }, value);
    expect(changed({ last: 5, before: "s" }, pagingOf(back)!.next!)).toEqual({
      after: "e",
      first: 5,
    });
  });

  test("end at the end", () => {
    const end = { pageInfo: { ...pageInfo, hasNextPage: false }, edges: [] };
    expect(pagingOf(tableOf(forwards, {}, end))?.next).toBeUndefined();
  });
});

test("variables ask for another list where they differ in more than the page", () => {
  const query = "query($page: Int!) { orders(page: $page) { data { id } } }";
  const paging = pagingOf(tableOf(query, { page: 1 }, { data: [] }))!;
  expect(asksForAnother(paging, { page: 1, a: 1, b: 2 }, { b: 2, a: 1, page: 4 })).toBe(false);
  expect(asksForAnother(paging, { page: 1, a: 1 }, { page: 1, a: 2 })).toBe(true);
});

describe("an order", () => {
  const table = (variables: object, declared = "$sort: ProductSort") =>
    tableOf(
      `query(${declared}, $page: Int! = 1) { products(sort: $sort, page: $page) { data { id name createdAt category { name } } } }`,
      variables,
      { data: rows(1) },
    );
  const orders = (variables: object, declared?: string) => {
    const sorted = table(variables, declared);
    return sorted.columns.map((column) => orderOf(sortingOf(sorted), column));
  };

  test("is chosen among the columns that the enum names", () => {
    expect(orders({})).toEqual([undefined, "none", "none", undefined]);
    expect(orders({ sort: { field: "NAME", direction: "ASC" } })[1]).toBe("ascending");
    const byRelevance = { sort: { field: "RELEVANCE", direction: "DESC" } };
    expect(orders(byRelevance).slice(1, 3)).toEqual(["none", "none"]);
    expect(orders({ sort: {} })[2]).toBe("descending");
    expect(orders({}, "$sort: ProductSort = { field: NAME }")[1]).toBe("descending");
  });

  test("is reversed by choosing it again, and begins at the first page", () => {
    const choose = (variables: object) => {
      const sorted = table(variables);
      return sortedBy(sorted, sortingOf(sorted)!, sorted.columns[1]!);
    };
    const ascending = { page: 1, sort: { field: "NAME", direction: "ASC" } };
    expect(choose({ page: 4 })).toEqual(ascending);
    expect(choose(ascending)).toEqual({ page: 1, sort: { field: "NAME", direction: "DESC" } });
  });

  test("is fixed where no variable is bound", () => {
    const query = "{ products(sort: { field: NAME, direction: ASC }) { data { name } } }";
    expect(sortingOf(tableOf(query, {}, { data: [] }))).toBeUndefined();
  });
});
