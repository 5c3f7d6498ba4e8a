import { startApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { dataOf, refusalOf } from "./client";
import { extensionsOf } from "../support/refusals";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const { id: category_id } = await app.make.category();
  const products: [name: string, description: string][] = [
    ["Sencha", "Grassy green tea from Shizuoka"],
    ["Earl Grey", "Black tea with bergamot"],
    ["Crème de Thé", "A café au lait among teas"],
    ["Пуэр Шэн", "Выдержанный зелёный чай"],
    ["Ελληνικό Τσάι", "ΒΟΥΝΟΥ"],
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
afterAll(() => app.close());

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

clauseEach<[string, string[]]>(
  "10.search",
  "words in any order, letter case and accents ignored, every other character as it is",
  { doors: ["GraphQL"] },
  {
    "a word of the name": ["sencha", ["Sencha"]],
    "a part of a word": ["ench", ["Sencha"]],
    "a word of the description": ["bergamot", ["Earl Grey"]],
    "words of both, in any order": ["shizuoka  GREEN\tsencha", ["Sencha"]],
    "each word must occur": ["sencha bergamot", []],
    "a word again and again": ["grey grey GREY", ["Earl Grey"]],
    "one letter": ["z", ["Sencha", "İstanbul Çayı"]],
    "accents in what is stored": ["creme de the", ["Crème de Thé"]],
    "accents in what is sought": ["Séncha", ["Sencha"]],
    "a letter with its accent beside it": ["cre\u0300me", ["Crème de Thé"]],
    "Cyrillic, letter case ignored": ["пуэр ЗЕЛЁНЫЙ", ["Пуэр Шэн"]],
    "Cyrillic, accents ignored": ["зеленый", ["Пуэр Шэн"]],
    "Greek, letter case and accents ignored": ["ελληνικο βουνου", ["Ελληνικό Τσάι"]],
    Japanese: ["お茶", ["緑茶"]],
    "fullwidth forms in what is stored": ["fullwidth 42", ["Ｆｕｌｌｗｉｄｔｈ"]],
    "fullwidth forms in what is sought": ["ＳＥＮＣＨＡ", ["Sencha"]],
    "an ideographic space between words": ["sencha　green", ["Sencha"]],
    "a percent sign is plain": ["100%", ["100% Assam"]],
    "an underscore is plain": ["snake_case", ["100x Assam"]],
    "a backslash is plain": ["back\\slash", ["Back\\slash"]],
    "a backslash at the end": ["back\\", ["Back\\slash"]],
    "two backslashes are two": ["back\\\\slash", []],
    "an escaped percent sign is two plain characters": ["100\\%", []],
    "quotes and dollars are plain": [`o'brien "irish" $1`, [`O'Brien "Irish"`]],
    "a name and its description are no one word": ["senchagrassy", []],
    "a Turkish capital": ["istanbul", ["İstanbul Çayı"]],
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

clause("10.search", "null is no search", { doors: ["GraphQL"] }, async () => {
  expect(await found(null)).toHaveLength(13);
});

clauseEach<[string, string]>(
  "10.search",
  "what is no search is refused",
  { doors: ["GraphQL"] },
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

clause(
  "10.search",
  "200 characters, each a word, are searched for",
  { doors: ["GraphQL"] },
  async () => {
    expect(await found("s e n c h a ".repeat(16).trim())).toContain("Sencha");
    expect(await found("🍵a".repeat(100))).toEqual([]);
  },
);

test("what changes is found at once by its new name alone", async () => {
  const { id } = await app.make.product({ name: "Before" });
  const mutation = `mutation ($id: Int!, $input: UpdateProductInput!) {
    updateProduct(id: $id, input: $input) { id } }`;
  await dataOf(app, mutation, { id, input: { name: "Afterwards" } });
  expect([await found("before"), await found("afterwards")]).toEqual([[], ["Afterwards"]]);
  await app.sql("DELETE FROM products WHERE id = $1", [id]);
});
