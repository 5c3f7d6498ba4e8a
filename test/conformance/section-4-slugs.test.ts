import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { expectRefused } from "../support/refusals";

jest.setTimeout(60_000);

let categoryId: number;
const app = useApp();
beforeAll(async () => {
  categoryId = (await app.make.category()).id;
});

const createCategory = (body: object) =>
  app.http.post("/categories").set("Authorization", app.asAdmin).send(body);
const createProduct = (body: object) =>
  app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name: "Tea", price: "1.00", categoryId, ...body });

const long = "a".repeat(120);

clauseEach<[name: string, slug: string]>(
  "4.slugs.derived",
  "a slug that is left out is derived from the name, transliterated",
  {
    words: ["Green Tea", "green-tea"],
    digits: ["Pu-erh 1998, 7 years", "pu-erh-1998-7-years"],
    accents: ["Crème Brûlée Thé", "creme-brulee-the"],
    German: ["Süßer Früchtetee", "susser-fruchtetee"],
    Cyrillic: ["Чай", "chay"],
    "marks around": ["  --Assam!-- ", "assam"],
    underscores: ["iced_tea", "iced-tea"],
    "120 characters": ["b".repeat(120), "b".repeat(120)],
    "a cut within a word": [`${"c".repeat(117)} 中`, `${"c".repeat(117)}-zh`],
    "a cut at a hyphen": [`${"e".repeat(117)}ß t`, `${"e".repeat(117)}ss`],
  },
  async ([name, slug]) => {
    expect((await createCategory({ name })).body.slug).toEqual(slug);
    expect((await createProduct({ name })).body.slug).toEqual(slug);
  },
);

clause("4.slugs.derived", "category or product where nothing is left of the name", async () => {
  expect((await createCategory({ name: "!!!" })).body.slug).toBe("category");
  expect((await createProduct({ name: "!!!" })).body.slug).toBe("product");
  expect((await createProduct({ name: "???" })).body.slug).toBe("product-2");
});

clause("4.slugs.derived", "with -2, -3 and so on where it is taken", async () => {
  const slugs = [];
  for (let count = 0; count < 7; count += 1) {
    slugs.push((await createProduct({ name: "Earl Grey" })).body.slug);
  }
  expect(slugs).toEqual(["earl-grey", ...[2, 3, 4, 5, 6, 7].map((each) => `earl-grey-${each}`)]);
});

clause("4.slugs.derived", "the first suffix that is free is taken", async () => {
  for (const slug of ["chai-latte", "chai-latte-2", "chai-latte-4"]) await createProduct({ slug });
  expect((await createProduct({ name: "Chai latte" })).body.slug).toBe("chai-latte-3");
  expect((await createProduct({ name: "Chai latte" })).body.slug).toBe("chai-latte-5");
});

clause(
  "4.slugs.derived",
  "a name of long transliteration and its suffixes stay within 120",
  async () => {
    const name = "茶".repeat(120);
    const slugs: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { status, body } = await createProduct({ name });
      expect(status).toBe(201);
      slugs.push(body.slug);
    }
    expect(new Set(slugs).size).toBe(3);
    for (const slug of slugs) {
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(120);
    }
  },
);

clause(
  "4.slugs.derived",
  "a suffix shortens a slug of 120 characters, hyphens at the cut go",
  async () => {
    const name = `${"d".repeat(117)} ee`;
    const slugs = [];
    for (let count = 0; count < 3; count += 1)
      slugs.push((await createCategory({ name })).body.slug);
    const short = "d".repeat(117);
    expect(slugs).toEqual([`${short}-ee`, `${short}-2`, `${short}-3`]);
  },
);

clause("4.slugs.derived", "categories and products have slugs of their own", async () => {
  expect((await createCategory({ name: "Shared" })).body.slug).toBe("shared");
  expect((await createProduct({ name: "Shared" })).body.slug).toBe("shared");
});

clauseEach(
  "4.slugs.given",
  "a slug that is given is kept as it is",
  { letters: "white", words: "white-tea-2", digits: "007", "120 characters": long },
  async (slug) => {
    expect((await createCategory({ name: "Given", slug })).body.slug).toBe(slug);
    expect((await createProduct({ slug })).body.slug).toBe(slug);
  },
);

const SHAPE = "slug must be lower-case words of a-z and 0-9 joined by single hyphens";

clauseEach<[slug: unknown, message: string]>(
  "4.slugs.given",
  "a slug that is not URL-friendly is refused",
  {
    empty: ["", SHAPE],
    capitals: ["Green", SHAPE],
    "a space": ["green tea", SHAPE],
    "a space around": [" green ", SHAPE],
    "a hyphen first": ["-green", SHAPE],
    "a hyphen last": ["green-", SHAPE],
    "two hyphens": ["green--tea", SHAPE],
    "a slash": ["green/tea", SHAPE],
    "an accent": ["thé", SHAPE],
    "a line feed": ["green\n", SHAPE],
    "121 characters": [`${long}a`, "slug must be shorter than or equal to 120 characters"],
    "a number": [7, "slug must be a string"],
    null: [null, "slug must be a string"],
  },
  async ([slug, message]) => {
    for (const answer of [
      await createCategory({ name: "A", slug }),
      await createProduct({ slug }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([400, [message]]);
    }
  },
);

clause("4.slugs.given", "a slug that is given and taken is 409", async () => {
  for (const create of [createCategory, createProduct]) {
    expect((await create({ name: "Once", slug: "taken" })).status).toBe(201);
    const message = "Slug taken is already taken";
    expectRefused(await create({ name: "Twice", slug: "taken" }), 409, message);
  }
});

const fifty = Array.from({ length: 50 }, (_, index) => index + 1);
const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other);

clauseEach<(body: object) => PromiseLike<{ status: number }>>(
  "4.slugs.races",
  "50 equal creations with one slug: one 201 and 49 x 409",
  { categories: (body) => createCategory(body), products: (body) => createProduct(body) },
  async (create) => {
    const answers = await Promise.all(fifty.map(() => create({ name: "Race", slug: "race" })));
    expect(sorted(answers.map(({ status }) => status))).toEqual([
      201,
      ...fifty.slice(1).map(() => 409),
    ]);
  },
);

clauseEach<(body: object) => PromiseLike<{ status: number; body: { slug: string } }>>(
  "4.slugs.races",
  "50 equal creations whose slug is derived all succeed, under 50 slugs without a gap",
  { categories: (body) => createCategory(body), products: (body) => createProduct(body) },
  async (create) => {
    const answers = await Promise.all(fifty.map(() => create({ name: "Derived race" })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const slugs = answers.map(({ body }) => body.slug).toSorted();
    expect(slugs).toEqual(
      fifty.map((each) => (each === 1 ? "derived-race" : `derived-race-${each}`)).toSorted(),
    );
  },
);

test("a slug is not blamed for what else prevents a change", async () => {
  const { id } = await app.make.category();
  await app.sql("ALTER TABLE categories ADD CONSTRAINT not_odd CHECK (name <> 'Odd')");
  try {
    const named = { name: "Odd", slug: "odd" };
    expect((await createCategory(named)).status).toBe(500);
    const change = app.http.patch(`/categories/${id}`).set("Authorization", app.asAdmin);
    expect((await change.send(named)).status).toBe(500);
  } finally {
    await app.sql("ALTER TABLE categories DROP CONSTRAINT not_odd");
  }
});
