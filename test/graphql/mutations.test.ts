import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { everythingStored } from "../support/stored";
import { dataOf, execute, refusalOf } from "./client";
import { extensionsOf } from "../support/refusals";

jest.setTimeout(60_000);

const app = useApp({ rateLimits: { newsletter: 0 } });

describe("updateProduct", () => {
  const mutation = `mutation ($id: Int!, $input: UpdateProductInput!) {
    updateProduct(id: $id, input: $input) {
      id name slug description price isActive categoryId createdAt updatedAt
    }
  }`;
  const update = (id: number, input: object) => dataOf(app, mutation, { id, input });
  const row = async (id: number) =>
    (
      await app.sql<Record<string, unknown>>(
        `SELECT id, name, slug, description, price, is_active, category_id, created_at, updated_at
         FROM products WHERE id = $1`,
        [id],
      )
    )[0]!;

  graphqlClause("10.update-product", "what is given is changed, and nothing else", async () => {
    const { id } = await app.make.product({ description: "Before", price: "1.00" });
    const other = await app.make.category();
    const changes: [input: object, column: string, value: unknown][] = [
      [{ name: " After " }, "name", "After"],
      [{ slug: "after" }, "slug", "after"],
      [{ description: " After " }, "description", " After "],
      [{ description: "" }, "description", ""],
      [{ price: "2.5" }, "price", "2.50"],
      [{ price: 3 }, "price", "3.00"],
      [{ categoryId: other.id }, "category_id", other.id],
      [{ isActive: false }, "is_active", false],
    ];
    for (const [input, column, value] of changes) {
      const before = await row(id);
      const { updateProduct } = (await update(id, input)) as {
        updateProduct: { updatedAt: string };
      };
      const after = await row(id);
      const { updated_at } = after;
      expect(after).toEqual({ ...before, [column]: value, updated_at });
      expect(updateProduct.updatedAt).toBe((updated_at as Date).toISOString());
      expect((updated_at as Date).getTime()).toBeGreaterThan((before.updated_at as Date).getTime());
    }
  });

  graphqlClause("10.update-product", "without a change nothing is touched", async () => {
    const { id } = await app.make.product();
    const before = await everythingStored(app);
    expect(await update(id, {})).toMatchObject({ updateProduct: { id } });
    expect(await everythingStored(app)).toEqual(before);
  });

  graphqlClauseEach<[object, number, unknown]>(
    "10.update-product",
    "what is no change of a product is refused, and nothing changes",
    {
      "a name that is null": [{ name: null }, 400, ["name must be a string"]],
      "a description that is null": [{ description: null }, 400, ["description must be a string"]],
      "a state that is null": [{ isActive: null }, 400, ["isActive must be a boolean value"]],
      "an unknown category": [
        { categoryId: 2_000_000_000 },
        400,
        ["categoryId 2000000000 does not reference an existing category"],
      ],
      "a slug that is taken": [{ slug: "taken" }, 409, "Slug taken is already taken"],
    },
    async ([input, status, message]) => {
      await app.sql("DELETE FROM products WHERE slug = 'taken'");
      await app.make.product({ slug: "taken" });
      const { id } = await app.make.product();
      const before = await everythingStored(app);
      expect(await refusalOf(app, mutation, { id, input })).toEqual(extensionsOf(status, message));
      expect(await everythingStored(app)).toEqual(before);
    },
  );
});

describe("setOrderStatus", () => {
  const mutation = `mutation ($id: Int!, $status: OrderStatus!) {
    setOrderStatus(id: $id, status: $status) { id status }
  }`;
  const statuses = ["PENDING", "PAID", "CANCELLED"] as const;
  const allowed = ["PENDING PAID", "PENDING CANCELLED", "PAID CANCELLED"];
  const moves = Object.fromEntries(
    statuses.flatMap((from) =>
      statuses.map((to) => [`from ${from} to ${to}`, [from, to] as const]),
    ),
  );
  const stored = async (id: number) =>
    (await app.sql<{ status: string }>("SELECT status FROM orders WHERE id = $1", [id]))[0]?.status;

  graphqlClauseEach("3.moves", "an order moves on, or is refused", moves, async ([from, to]) => {
    const { id } = await app.make.order({ status: from });
    if (from === to || allowed.includes(`${from} ${to}`)) {
      const order = { id, status: to };
      expect(await dataOf(app, mutation, { id, status: to })).toEqual({ setOrderStatus: order });
      expect(await stored(id)).toBe(to);
    } else {
      const message = `Order ${id} is ${from} and can't become ${to}`;
      expect(await refusalOf(app, mutation, { id, status: to })).toEqual(
        extensionsOf(409, message),
      );
      expect(await stored(id)).toBe(from);
    }
  });
});

describe("the newsletter", () => {
  const subscribe = (email: string) =>
    execute(app, {
      query: "mutation ($email: String!) { subscribeToNewsletter(email: $email) }",
      variables: { email },
    });
  const unsubscribe = (email: string) =>
    dataOf(app, "mutation ($email: String!) { unsubscribeFromNewsletter(email: $email) }", {
      email,
    });
  const rows = (email: string) =>
    app.sql("SELECT email, is_active FROM newsletter_subscribers WHERE lower(email) = $1", [email]);
  const done = { data: { subscribeToNewsletter: true } };

  graphqlClause("10.newsletter.subscribe", "an address is stored once, as given", async () => {
    for (const email of ["Reader@Example.com", "reader@example.com", "READER@EXAMPLE.COM"]) {
      expect((await subscribe(email)).body).toEqual(done);
    }
    expect(await rows("reader@example.com")).toEqual([
      { email: "Reader@Example.com", is_active: true },
    ]);
    await subscribe("next@example.com");
    const ids = await app.sql<{ id: number }>("SELECT id FROM newsletter_subscribers ORDER BY id");
    expect(ids.map(({ id }) => id)).toEqual([1, 2]); // repetitions use up none
  });

  graphqlClause("10.newsletter.subscribe", "many at once store one subscription", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => subscribe("crowd@example.com")),
    );
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => done));
    expect(await rows("crowd@example.com")).toHaveLength(1);
  });

  graphqlClause("10.newsletter.unsubscribe", "it says whether anything changed", async () => {
    await subscribe("leaver@example.com");
    const outcomes = [];
    for (const email of ["LEAVER@example.com", "leaver@example.com", "unknown@example.com"]) {
      outcomes.push(await unsubscribe(email));
    }
    expect(outcomes).toEqual(
      [true, false, false].map((unsubscribeFromNewsletter) => ({ unsubscribeFromNewsletter })),
    );
    expect(await rows("leaver@example.com")).toEqual([
      { email: "leaver@example.com", is_active: false },
    ]);
  });

  graphqlClause("10.newsletter.subscribe", "subscribing again reactivates, silently", async () => {
    const { email } = await app.make.subscriber({ is_active: false });
    expect((await subscribe(email.toUpperCase())).body).toEqual(done);
    expect(await rows(email)).toEqual([{ email, is_active: true }]);
  });

  graphqlClause("10.newsletter.list", "subscribers are listed newest first", async () => {
    await app.sql("DELETE FROM newsletter_subscribers");
    for (const name of ["a", "b", "c"]) await app.make.subscriber({ email: `${name}@example.com` });
    await app.sql(
      "UPDATE newsletter_subscribers SET created_at = '2024-01-01' WHERE email LIKE 'c%'",
    );
    const query = `{ newsletterSubscribers(pageSize: 2) {
      data { email isActive } meta { total page pageSize totalPages } } }`;
    await app.sql(
      "UPDATE newsletter_subscribers SET created_at = '2024-01-02' WHERE email !~ '^c'",
    );
    expect(await dataOf(app, query)).toEqual({
      newsletterSubscribers: {
        data: ["b", "a"].map((name) => ({ email: `${name}@example.com`, isActive: true })),
        meta: { total: 3, page: 1, pageSize: 2, totalPages: 2 },
      },
    });
  });
});

describe("one thing by its key", () => {
  const read = `query ($id: Int, $slug: String) {
    product(id: $id, slug: $slug) { id } category(id: $id, slug: $slug) { id }
  }`;

  graphqlClause("10.one", "one thing by its id or its slug; null where there is none", async () => {
    const { id: productId } = await app.make.product({ slug: "one-and-only" });
    const { id: categoryId } = await app.make.category({ slug: "one-and-only" });
    expect(await dataOf(app, read, { slug: "one-and-only" })).toEqual({
      product: { id: productId },
      category: { id: categoryId },
    });
    const none = { product: null, category: null };
    expect(await dataOf(app, read, { slug: "One-And-Only" })).toEqual(none);
    expect(await dataOf(app, read, { slug: "" })).toEqual(none);
    for (const id of [2_000_000_000, 0, -1]) expect(await dataOf(app, read, { id })).toEqual(none);
    for (const id of [2_147_483_647, 0, -1, -2_147_483_648])
      expect(await dataOf(app, `{ order(id: ${id}) { id } }`)).toEqual({ order: null });
    expect(await dataOf(app, read, { id: null, slug: "nowhere" })).toEqual(none);
  });

  const keys: Record<string, object> = {
    neither: {},
    both: { id: 1, slug: "x" },
    "null for both": { id: null, slug: null },
  };
  graphqlClauseEach("10.one", "neither or both of id and slug are refused", keys, async (key) => {
    for (const field of ["product", "category"]) {
      const query = `query ($id: Int, $slug: String) { ${field}(id: $id, slug: $slug) { id } }`;
      expect(await refusalOf(app, query, key)).toEqual(
        extensionsOf(400, ["exactly one of id and slug must be given"]),
      );
    }
  });
});

describe("several mutations in one operation", () => {
  test("each shows what those before it have changed", async () => {
    const { id: categoryId } = await app.make.category({ name: "Old" });
    const { id } = await app.make.product({ category_id: categoryId, name: "Old", price: "1.00" });
    const data = await dataOf(
      app,
      `mutation ($id: Int!, $categoryId: Int!) {
        first: updateProduct(id: $id, input: { price: "2.00" }) { ...shown }
        category: updateCategory(id: $categoryId, input: { name: "New" }) { ...listed }
        second: updateProduct(id: $id, input: { name: "New", price: "3.00" }) { ...shown }
        again: updateCategory(id: $categoryId, input: { name: "Newest" }) { ...listed }
        third: updateProduct(id: $id, input: {}) { ...shown }
      }
      fragment shown on Product { category { name } prices { price } }
      fragment listed on Category { products { data { name category { name } } } }`,
      { id, categoryId },
    );
    const shown = (category: string, prices: string[]) => ({
      category: { name: category },
      prices: prices.map((price) => ({ price })),
    });
    const listed = (product: string, category: string) => ({
      products: { data: [{ name: product, category: { name: category } }] },
    });
    expect(data).toEqual({
      first: shown("Old", ["2.00", "1.00"]),
      category: listed("Old", "New"),
      second: shown("New", ["3.00", "2.00", "1.00"]),
      again: listed("New", "Newest"),
      third: shown("Newest", ["3.00", "2.00", "1.00"]),
    });
  });
});
