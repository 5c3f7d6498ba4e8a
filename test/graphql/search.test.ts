import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { dataOf, refusalOf } from "./client";
import { extensionsOf } from "../support/refusals";
import { PART, walk, type Connection } from "./walk";

const app = useApp();
beforeAll(async () => {
  const { id: category_id } = await app.make.category();
  const products: [name: string, description: string][] = [
    ["Sencha", "Grassy green tea from Shizuoka"],
    ["Earl Grey", "Black tea with bergamot"],
    ["Crème de Thé", "A café au lait among teas"],
    ["Пуэр Шэн", "Выдержанный зелёный чай"],
    ["Ελληνικό Τσάι", "ΒΟΥΝΟΥ"],
    ["ΜΕΛΙΣΣΑ", "ΔΥΟΣΜΟΣ"],
    ["Δυόσμος", "Άγριος, χωρίς στέλεχος"],
    ["緑茶", "日本のお茶"],
    ["Ｆｕｌｌｗｉｄｔｈ", "Ｎｏ. ４２"],
    ["Straße", "Groß"],
    ["100% Assam", "50 % off"],
    ["100x Assam", "snake_case"],
    ["Back\\slash", "snakeXcase"],
    ["İstanbul Çayı", "Rize"],
    ['O\'Brien "Irish"', "$1 'quoted'"],
  ];
  for (const [name, description] of products) {
    await app.make.product({ name, description, category_id });
  }
});

const query = `query ($search: String) {
  products(pageSize: 50, filter: { search: $search }, sort: { field: CREATED_AT, direction: ASC }) {
    data { name } meta { total }
  }
}`;

async function found(search: string | null): Promise<string[]> {
  const { products } = await dataOf<{
    products: { data: { name: string }[]; meta: { total: number } };
  }>(app, query, { search });
  expect(products.meta.total).toBe(products.data.length);
  return products.data.map(({ name }) => name);
}

graphqlClauseEach<[string, string[]]>(
  "10.search",
  "words in any order, letter case and accents ignored, every other character as it is",
  {
    "a word of the name": ["sencha", ["Sencha"]],
    "a part of a word": ["ench", ["Sencha"]],
    "a word of the description": ["bergamot", ["Earl Grey"]],
    "each word must occur": ["sencha bergamot", []],
    "one letter": ["z", ["Sencha", "İstanbul Çayı"]],
    "accents in what is stored": ["creme de the", ["Crème de Thé"]],
    "accents in what is sought": ["Séncha", ["Sencha"]],
    "a letter with its accent beside it": ["cre\u0300me", ["Crème de Thé"]],
    "Cyrillic, letter case ignored": ["пуэр ЗЕЛЁНЫЙ", ["Пуэр Шэн"]],
    "Greek, letter case and accents ignored": ["ελληνικο βουνου", ["Ελληνικό Τσάι"]],
    "Greek, a word that ends within the name": ["Μελις", ["ΜΕΛΙΣΣΑ"]],
    "Greek, such a word in capitals": ["ΜΕΛΙΣ", ["ΜΕΛΙΣΣΑ"]],
    "Greek, a sigma that is final in what is sought alone": ["ΔΥΟΣ", ["ΜΕΛΙΣΣΑ", "Δυόσμος"]],
    "Greek, a sigma that is final in what is stored alone": ["στέλεχοσ", ["Δυόσμος"]],
    "Greek, a final sigma": ["άγριος", ["Δυόσμος"]],
    "Greek, a lunate sigma": ["μελιϲ", ["ΜΕΛΙΣΣΑ"]],
    Japanese: ["お茶", ["緑茶"]],
    "fullwidth forms in what is sought": ["ＳＥＮＣＨＡ", ["Sencha"]],
    "an ideographic space between words": ["sencha　green", ["Sencha"]],
    "a percent sign is plain": ["100%", ["100% Assam"]],
    "an underscore is plain": ["snake_case", ["100x Assam"]],
    "a backslash is plain": ["back\\slash", ["Back\\slash"]],
    "two backslashes are two": ["back\\\\slash", []],
    "quotes and dollars are plain": [`o'brien "irish" $1`, [`O'Brien "Irish"`]],
    "a name and its description are no one word": ["senchagrassy", []],
    "a Turkish capital": ["istanbul", ["İstanbul Çayı"]],
    "a Turkish capital, decomposed": ["I\u0307STANBUL", ["İstanbul Çayı"]],
    "a Turkish capital without a dot": ["ÇAYI", ["İstanbul Çayı"]],
    "a sharp s in capitals": ["STRASSE", ["Straße"]],
    "a capital sharp s": ["GROẞ", ["Straße"]],
  },
  async ([search, names]) => {
    expect(await found(search)).toEqual(names);
  },
);

test.each(["", " ", "%", "_", "\\", "%%%", "' \"", "...", "\u0301", "🍵"])(
  "without a letter or digit nothing is found: %j",
  async (search) => {
    expect(await found(search)).toEqual([]);
  },
);

graphqlClause("10.search", "null is no search", async () => {
  expect(await found(null)).toHaveLength(15);
});

graphqlClauseEach<[string, string]>(
  "10.search",
  "what is no search is refused",
  {
    "more than 200 characters": [
      "x".repeat(201),
      "search must be shorter than or equal to 200 characters",
    ],
    NUL: ["a\0b", "search must be well-formed Unicode without NUL"],
    "a lone surrogate": ["a\ud800", "search must be well-formed Unicode without NUL"],
  },
  async ([search, message]) => {
    expect(await refusalOf(app, query, { search })).toEqual(extensionsOf(400, [message]));
  },
);

graphqlClause("10.search", "200 characters, each a word, are searched for", async () => {
  expect(await found("s e n c h a ".repeat(16).trim())).toContain("Sencha");
  expect(await found("🍵a".repeat(100))).toEqual([]);
});

test("what changes is found at once by its new name alone", async () => {
  const { id } = await app.make.product({ name: "Before" });
  const mutation = `mutation ($id: Int!, $input: UpdateProductInput!) {
    updateProduct(id: $id, input: $input) { id } }`;
  await dataOf(app, mutation, { id, input: { name: "Afterwards" } });
  expect([await found("before"), await found("afterwards")]).toEqual([[], ["Afterwards"]]);
  await app.sql("DELETE FROM products WHERE id = $1", [id]);
});

describe("by relevance", () => {
  let categoryId: number;
  beforeAll(async () => {
    categoryId = (await app.make.category({ name: "Ranked" })).id;
    const rows: [name: string, description: string, day: number][] = [
      ["Gunpowder", "Unlike rosé oolong", 9],
      ["Oolong", "With a note of rose", 8],
      ["Wild Rose Oolong", "", 2],
      ["Wild Oolong Rosé", "", 3],
      ["Rose Oolong", "", 1],
      ["ＲＯＳÉ Oolong", "", 1],
      ["Oolong of the Rose", "", 1],
      ["Rosehip", "No 5% oolong", 7],
      ["5% Rose", "", 1],
      ["55 Roses", "", 2],
    ];
    for (const [name, description, day] of rows) {
      const created_at = `2024-01-0${day}T00:00:00Z`;
      await app.make.product({ name, description, created_at, category_id: categoryId });
    }
  });

  const list = `query ($id: Int!, $filter: ProductFilter!, $direction: SortDirection! = DESC) {
    products(filter: $filter, sort: { field: RELEVANCE, direction: $direction }) {
      data { name category { name } } meta { total }
    }
    category(id: $id) {
      products(filter: $filter, sort: { field: RELEVANCE, direction: $direction }) { data { name } }
    }
  }`;
  interface Names {
    readonly data: { name: string }[];
  }

  /** The names of what is found, best first; in its category it is the same. */
  async function ranked(search: string): Promise<string[]> {
    const namesOf = ({ data }: Names) => data.map(({ name }) => name);
    const read = async (direction?: string) => {
      const variables = { id: categoryId, filter: { search, isActive: true }, direction };
      const { products, category } = await dataOf<{
        products: Names & { meta: { total: number } };
        category: { products: Names };
      }>(app, list, variables);
      expect(namesOf(category.products)).toEqual(namesOf(products));
      expect(products.meta.total).toBe(products.data.length);
      return namesOf(products);
    };
    const names = await read();
    expect(await read("ASC")).toEqual(names.toReversed());
    return names;
  }

  const BOTH = [
    ...["Oolong of the Rose", "ＲＯＳÉ Oolong", "Rose Oolong"],
    ...["Wild Oolong Rosé", "Wild Rose Oolong"],
    ...["Gunpowder", "Oolong", "Rosehip"],
  ];

  graphqlClauseEach<[search: string, names: string[]]>(
    "10.sort.relevance",
    "names that begin with the words, names, descriptions; the newest of each first",
    {
      "two words": ["rose oolong", BOTH],
      "the words in another order, another case and with accents": ["OOLÔNG  rosé ROSE", BOTH],
      "spaces around the words": [" rose oolong ", BOTH],
      "a word": [
        "rose",
        [
          ...["Rosehip", "ＲＯＳÉ Oolong", "Rose Oolong"],
          ...["Wild Oolong Rosé", "55 Roses", "Wild Rose Oolong", "5% Rose", "Oolong of the Rose"],
          ...["Gunpowder", "Oolong"],
        ],
      ],
      "a percent sign, which is plain": ["5% ro", ["5% Rose", "Rosehip"]],
      "no word": [" ", []],
    },
    async ([search, names]) => {
      expect(await ranked(search)).toEqual(names);
    },
  );

  const connection = `query ($first: Int, $after: String, $last: Int, $before: String, $search: String) {
    productsConnection(first: $first, after: $after, last: $last, before: $before,
      filter: { search: $search }, sort: { field: RELEVANCE }) { ${PART} }
  }`;

  graphqlClause("10.sort.relevance", "a connection goes through them both ways", async () => {
    const before = await app.sql<{ id: number; name: string }>("SELECT id, name FROM products");
    const kept = new Map(before.map(({ id, name }) => [id, name]));
    for (const way of ["forwards", "backwards"] as const) {
      const added: number[] = [];
      const parts = await walk(2, way, async (request) => {
        const { productsConnection } = await dataOf<{ productsConnection: Connection }>(
          app,
          connection,
          { ...request, search: "rose oolong" },
        );
        // No more than three, or the walk from the end would never arrive.
        for (const name of added.length < 3 ? ["Rose Oolong", "A rose oolong", "Dust"] : []) {
          const description = "rose oolong";
          added.push((await app.make.product({ name, description, category_id: categoryId })).id);
        }
        return productsConnection;
      });
      await app.sql("DELETE FROM products WHERE id = ANY($1)", [added]);
      const inOrder = way === "forwards" ? parts : parts.toReversed();
      const ids = inOrder.flatMap(({ edges }) => edges.map(({ node }) => node.id));
      expect(ids.flatMap((id) => kept.get(id) ?? [])).toEqual(BOTH);
    }
  });

  graphqlClauseEach<string>(
    "10.connections.cursors",
    "a cursor that no search by relevance has made is refused",
    {
      "one of another sort": "1704067200000:1",
      "one without a name": "RELEVANCE DESC 1704067200000:1",
      "one without a time": "RELEVANCE DESC Rose:1",
      "a time that is none": "RELEVANCE DESC x Rose:1",
      "a name with NUL": "RELEVANCE DESC 1704067200000 a\0:1",
      "a name of 121 characters": `RELEVANCE DESC 1704067200000 ${"a".repeat(121)}:1`,
    },
    async (text) => {
      const after = Buffer.from(text).toString("base64url");
      expect(await refusalOf(app, connection, { after, search: "rose" })).toEqual(
        extensionsOf(400, ["after must be a cursor of this connection"]),
      );
    },
  );

  graphqlClauseEach<string>(
    "10.sort.relevance",
    "without a search it is refused",
    {
      "a page": "products(sort: { field: RELEVANCE }) { data { id } }",
      "a search of null":
        "products(filter: { search: null }, sort: { field: RELEVANCE }) { data { id } }",
      "a connection": "productsConnection(sort: { field: RELEVANCE }) { edges { cursor } }",
      "the products of a category":
        "category(id: 1) { products(sort: { field: RELEVANCE }) { data { id } } }",
    },
    async (field) => {
      expect(await refusalOf(app, `{ ${field} }`)).toEqual(
        extensionsOf(400, ["sort by RELEVANCE needs filter.search"]),
      );
    },
  );
});
