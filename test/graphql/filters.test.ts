import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { dataOf, refusalOf } from "./client";
import { extensionsOf } from "../support/refusals";

const ids: Record<string, number> = {};
const categories: Record<string, { id: number; slug: string }> = {};
const app = useApp();
beforeAll(async () => {
  for (const name of ["green", "black"]) categories[name] = await app.make.category({ slug: name });
  const rows = [
    ["a", "green", "Sencha", "5.00", 1, true],
    ["b", "green", "sencha", "5.00", 2, true],
    ["c", "green", "Bancha", "7.50", 2, false],
    ["d", "black", "assam", "7.50", 3, true],
    ["e", "black", "Émile", "0.00", 3, true],
    ["f", "black", "Zebra", "99999999.99", 3, false],
  ] as const;
  for (const [key, category, name, price, day, is_active] of rows) {
    const created_at = `2024-01-0${day}T00:00:00Z`;
    const category_id = categories[category]!.id;
    ids[key] = (await app.make.product({ name, price, created_at, is_active, category_id })).id;
  }
});

const keyOf = (id: number) => Object.keys(ids).find((key) => ids[key] === id);
const query = `query ($filter: ProductFilter, $sort: ProductSort, $pageSize: Int! = 50) {
  products(pageSize: $pageSize, filter: $filter, sort: $sort) { data { id } meta { total } }
  categories { products(pageSize: $pageSize, filter: $filter, sort: $sort) { data { id } } }
}`;

interface Listed {
  products: { data: { id: number }[]; meta: { total: number } };
  categories: { products: { data: { id: number }[] } }[];
}

/** The keys of the products that are listed, in their order. */
async function listed(filter?: object | null, sort?: object | null): Promise<string> {
  const { products, categories: nested } = await dataOf<Listed>(app, query, { filter, sort });
  expect(products.meta.total).toBe(products.data.length);
  const all = products.data.map(({ id }) => keyOf(id)).join("");
  // The pages of the categories show the same in the same order, each its own.
  for (const { products: part } of nested) {
    const keys = part.data.map(({ id }) => keyOf(id)!);
    expect(keys).toEqual(Array.from(all).filter((key) => keys.includes(key)));
  }
  expect(nested.flatMap(({ products: { data } }) => data)).toHaveLength(all.length);
  return all;
}

graphqlClauseEach<[() => object | null | undefined, string]>(
  "10.filters.products",
  "conditions on products all hold, bounds inclusive",
  {
    "no filter": [() => undefined, "fedcba"],
    null: [() => null, "fedcba"],
    "null for each condition": [
      () => ({
        ...{ ids: null, categoryId: null, categorySlug: null, isActive: null },
        ...{ minPrice: null, maxPrice: null, search: null },
      }),
      "fedcba",
    ],
    "ids in any order, some twice": [() => ({ ids: [ids.b, ids.e, ids.a, ids.e] }), "eba"],
    "unknown ids beside known ones": [
      () => ({ ids: [0, -1, -2_147_483_648, ids.d, 2_147_483_647, 999_999] }),
      "d",
    ],
    "no id at all": [() => ({ ids: [] }), ""],
    "100 ids": [() => ({ ids: Array.from({ length: 100 }, (_, n) => n + ids.d!) }), "fed"],
    "ids and a category": [() => ({ ids: [ids.a, ids.d], categorySlug: "black" }), "d"],
    "ids and a search": [() => ({ ids: [ids.a, ids.c, ids.d], search: "cha" }), "ca"],
    "ids and a price": [() => ({ ids: [ids.a, ids.c, ids.d], minPrice: "7.50" }), "dc"],
    "a category's id": [() => ({ categoryId: categories.green!.id }), "cba"],
    "an unknown category's id": [() => ({ categoryId: 2_147_483_647 }), ""],
    "a category's slug": [() => ({ categorySlug: "black" }), "fed"],
    "both, of one category": [
      () => ({ categoryId: categories.black!.id, categorySlug: "black" }),
      "fed",
    ],
    "both, of two": [() => ({ categoryId: categories.green!.id, categorySlug: "black" }), ""],
    "active ones": [() => ({ isActive: true }), "edba"],
    "inactive ones": [() => ({ isActive: false }), "fc"],
    "the least price, inclusive": [() => ({ minPrice: "7.50" }), "fdc"],
    "the greatest price, inclusive": [() => ({ maxPrice: "7.50" }), "edcba"],
    "just below": [() => ({ maxPrice: "7.49" }), "eba"],
    "one price": [() => ({ minPrice: 5, maxPrice: "5.0" }), "ba"],
    "bounds that exclude each other": [() => ({ minPrice: 6, maxPrice: 5 }), ""],
    "everything at once": [
      () => ({ categorySlug: "green", isActive: true, minPrice: 5, maxPrice: 5, search: "SENCHA" }),
      "ba",
    ],
    "a search and a state": [() => ({ search: "cha", isActive: false }), "c"],
  },
  async ([filter, keys]) => {
    expect(await listed(filter())).toBe(keys);
  },
);

graphqlClauseEach<[sort: object | null | undefined, keys: string]>(
  "10.sort",
  "products are sorted, ties by id in the same direction",
  {
    "no sort": [undefined, "fedcba"],
    null: [null, "fedcba"],
    "by time, oldest first": [{ field: "CREATED_AT", direction: "ASC" }, "abcdef"],
    "by name": [{ field: "NAME", direction: "ASC" }, "dcabfe"],
    "by name alone": [{ field: "NAME" }, "efbacd"],
    "by price": [{ field: "PRICE", direction: "ASC" }, "eabcdf"],
    "by price, highest first": [{ field: "PRICE", direction: "DESC" }, "fdcbae"],
  },
  async ([sort, keys]) => {
    expect(await listed(undefined, sort)).toBe(keys);
  },
);

test("lists of one category in one operation differ by filter, sort and count", async () => {
  const { category } = await dataOf<{ category: Record<string, Listed["products"]> }>(
    app,
    `{ category(slug: "green") {
      all: products { data { id } }
      on: products(filter: { isActive: true }) { data { id } }
      oldest: products(sort: { direction: ASC }) { data { id } }
      counted: products { data { id } meta { total } }
    } }`,
  );
  const keys = Object.entries(category).map(([name, { data }]) => [
    name,
    data.map(({ id }) => keyOf(id)).join(""),
  ]);
  expect(Object.fromEntries(keys)).toEqual({ all: "cba", on: "ba", oldest: "abc", counted: "cba" });
  expect(category.counted?.meta.total).toBe(3);
});

const price = "must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places";
graphqlClauseEach<[filter: object, messages: string[]]>(
  "10.filters.products",
  "what is no condition is refused",
  {
    "a price below 0": [{ minPrice: "-1" }, [`minPrice ${price}`]],
    "two prices that are none": [
      { maxPrice: "1.005", minPrice: "NaN" },
      [`minPrice ${price}`, `maxPrice ${price}`],
    ],
    "101 ids": [
      { ids: Array.from({ length: 101 }, (_, n) => n) },
      ["ids must contain no more than 100 elements"],
    ],
    "too long a slug": [
      { categorySlug: "x".repeat(121) },
      ["categorySlug must be shorter than or equal to 120 characters"],
    ],
    "a slug with NUL": [
      { categorySlug: "\0" },
      ["categorySlug must be well-formed Unicode without NUL"],
    ],
  },
  async ([filter, messages]) => {
    const list = "query ($filter: ProductFilter) { products(filter: $filter) { data { id } } }";
    const refusal = extensionsOf(400, expect.arrayContaining(messages));
    expect(await refusalOf(app, list, { filter })).toEqual(refusal);
  },
);

graphqlClause("10.filters.categories", "categories by their state", async () => {
  const { id } = await app.make.category({ name: "Off", is_active: false });
  const list = "query ($filter: CategoryFilter) { categories(filter: $filter) { id } }";
  const on = [categories.green!.id, categories.black!.id].map((each) => ({ id: each }));
  const shown = (filter: object | null) => dataOf(app, list, { filter });
  expect(await shown({ isActive: false })).toEqual({ categories: [{ id }] });
  expect(await shown({ isActive: true })).toEqual({ categories: on });
  for (const filter of [null, {}, { isActive: null }]) {
    expect(await shown(filter)).toEqual({ categories: [...on, { id }] });
  }
});
