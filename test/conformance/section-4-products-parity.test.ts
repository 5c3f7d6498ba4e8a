import { clause, clauseEach } from "../support/clause";
import type { TestApp } from "../support/app";
import { errorBody } from "../support/refusals";
import { through } from "../parity/doors";
import { aTime, expectParity, startTwins, type ParityCase, type Twins } from "../parity/twins";

jest.setTimeout(60_000);

let twins: Twins;
beforeAll(async () => {
  twins = await startTwins();
});
afterAll(() => twins.close());

const run = (each: ParityCase) => expectParity(twins, each);

/** A product with its JSON. */
async function made({ make }: TestApp, values: Parameters<TestApp["make"]["product"]>[0] = {}) {
  const { id, name, slug, price, category_id: categoryId } = await make.product(values);
  const { description = "", is_active: isActive = true } = values;
  const times = { createdAt: aTime, updatedAt: aTime };
  return { id, name, slug, description, price, isActive, categoryId, ...times };
}

const createProduct =
  (body: object, stored: object): ParityCase =>
  async ({ make }) => {
    const { id: categoryId } = await make.category();
    const defaults = { description: "", isActive: false };
    const values = { ...defaults, ...stored, categoryId };
    const { isActive, ...rest } = values;
    return {
      operation: "createProduct",
      input: { body: { ...body, categoryId } },
      ok: { id: expect.any(Number), ...values, createdAt: aTime, updatedAt: aTime },
      effect: {
        products: {
          gone: [],
          come: [
            expect.objectContaining({
              name: Reflect.get(rest, "name"),
              description: rest.description,
              is_active: isActive,
              category_id: categoryId,
            }),
          ],
        },
      },
    };
  };

clauseEach<ParityCase>(
  "4.products.create",
  "what is given is stored and answered, the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "what is required": createProduct(
      { name: "Sencha", price: "12.5" },
      { name: "Sencha", slug: "sencha", price: "12.50" },
    ),
    everything: createProduct(
      { name: "Gyokuro", slug: "shade", description: " Kept as is ", price: 0, isActive: true },
      {
        name: "Gyokuro",
        slug: "shade",
        description: " Kept as is ",
        price: "0.00",
        isActive: true,
      },
    ),
    "the greatest price, as a number": createProduct(
      { name: "Da Hong Pao", price: 99999999.99 },
      { name: "Da Hong Pao", slug: "da-hong-pao", price: "99999999.99" },
    ),
    "a price with leading zeros": createProduct(
      { name: "Bancha", price: "007.1" },
      { name: "Bancha", slug: "bancha", price: "7.10" },
    ),
  },
  run,
);

const refusedPrice =
  (price: unknown): ParityCase =>
  async ({ make }) => ({
    operation: "createProduct",
    input: { body: { name: "Tea", price, categoryId: (await make.category()).id } },
    refused: [
      400,
      ["price must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places"],
    ],
  });

clauseEach<ParityCase>(
  "4.products.create",
  "a price that is no price is refused the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "3 decimals": refusedPrice("1.005"),
    "3 decimals, as a number": refusedPrice(1.005),
    "too much": refusedPrice("100000000"),
    "too much, as a number": refusedPrice(1e8),
    "below zero": refusedPrice(-1),
    "an exponent": refusedPrice("1e3"),
    "a blank": refusedPrice(" 1.00"),
    nothing: refusedPrice(""),
    "not a number": refusedPrice("NaN"),
  },
  run,
);

clauseEach<ParityCase>(
  "4.products.create",
  "what is not fit is refused with the same messages through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "an unknown category": () => ({
      operation: "createProduct",
      input: { body: { name: "Tea", price: "1.00", categoryId: 2_000_000_000 } },
      refused: [400, ["categoryId 2000000000 does not reference an existing category"]],
    }),
    "a category below 1": () => ({
      operation: "createProduct",
      input: { body: { name: "Tea", price: "1.00", categoryId: 0 } },
      refused: [400, ["categoryId must not be less than 1"]],
    }),
    "too long a description": async ({ make }) => ({
      operation: "createProduct",
      input: {
        body: {
          name: "Tea",
          price: "1.00",
          description: "x".repeat(5001),
          categoryId: (await make.category()).id,
        },
      },
      refused: [400, ["description must be shorter than or equal to 5000 characters"]],
    }),
    "a slug that is taken": async (app) => {
      const { slug, categoryId } = await made(app);
      return {
        operation: "createProduct",
        input: { body: { name: "Tea", price: "1.00", slug, categoryId } },
        refused: [409, `Slug ${slug} is already taken`],
      };
    },
    "validation comes before what is stored": async (app) => {
      const { slug } = await made(app);
      return {
        operation: "createProduct",
        input: { body: { name: "", price: "1.00", slug, categoryId: 2_000_000_000 } },
        refused: [400, ["name should not be empty"]],
      };
    },
    "the category comes before the slug": async (app) => {
      const { slug } = await made(app);
      return {
        operation: "createProduct",
        input: { body: { name: "Tea", price: "1.00", slug, categoryId: 2_000_000_000 } },
        refused: [400, ["categoryId 2000000000 does not reference an existing category"]],
      };
    },
  },
  run,
);

clauseEach<ParityCase>(
  "4.products.status",
  "a product is switched on and off the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    off: async (app) => {
      const product = await made(app);
      const row = { id: product.id, name: product.name };
      return {
        operation: "setProductStatus",
        input: { id: product.id, body: { isActive: false } },
        ok: { ...product, isActive: false },
        effect: {
          products: {
            gone: [expect.objectContaining({ ...row, is_active: true })],
            come: [expect.objectContaining({ ...row, is_active: false })],
          },
        },
      };
    },
    on: async (app) => {
      const product = await made(app, { is_active: false });
      return {
        operation: "setProductStatus",
        input: { id: product.id, body: { isActive: true } },
        ok: { ...product, isActive: true },
        effect: {
          products: {
            gone: [expect.objectContaining({ id: product.id, is_active: false })],
            come: [expect.objectContaining({ id: product.id, is_active: true })],
          },
        },
      };
    },
    "an unknown one": () => ({
      operation: "setProductStatus",
      input: { id: 2_000_000_000, body: { isActive: true } },
      refused: [404, "Product not found"],
    }),
  },
  run,
);

clauseEach<ParityCase>(
  "4.products.delete",
  "a product is deleted or kept the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "never ordered": async (app) => {
      const product = await made(app);
      return {
        operation: "deleteProduct",
        input: { id: product.id },
        ok: product,
        effect: { products: { gone: [expect.objectContaining({ id: product.id })], come: [] } },
      };
    },
    ordered: async (app) => {
      const { id } = await made(app);
      const order = await app.make.order();
      await app.make.orderItem({ order_id: order.id, product_id: id });
      return {
        operation: "deleteProduct",
        input: { id },
        refused: [409, `Product ${id} is part of orders`],
      };
    },
    "an unknown one": () => ({
      operation: "deleteProduct",
      input: { id: 2_000_000_000 },
      refused: [404, "Product not found"],
    }),
  },
  run,
);

clauseEach<ParityCase>(
  "4.products.get",
  "a product is read the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "an active one": async (app) => {
      const product = await made(app, { description: "Fine", price: "3.10" });
      return { operation: "getProduct", caller: "nobody", input: { id: product.id }, ok: product };
    },
    "an inactive one": async (app) => {
      const product = await made(app, { is_active: false });
      return { operation: "getProduct", caller: "nobody", input: { id: product.id }, ok: product };
    },
  },
  run,
);

const products = async (app: TestApp) => {
  const { id: category_id } = await app.make.category();
  await made(app);
  const old = await made(app, { category_id, created_at: "2024-01-01T00:00:00Z" });
  const first = await made(app, { category_id, created_at: "2024-02-01T00:00:00Z" });
  const second = await made(app, {
    category_id,
    created_at: "2024-02-01T00:00:00Z",
    is_active: false,
  });
  return { categoryId: category_id, listed: [second, first, old] };
};

clauseEach<ParityCase>(
  "4.products.of-category",
  "a category's products, newest first, are the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "as the category's": async (app) => {
      const { categoryId: id, listed } = await products(app);
      return { operation: "productsOfCategory", caller: "nobody", input: { id }, ok: listed };
    },
    "as a filter": async (app) => {
      const { categoryId: id, listed } = await products(app);
      return {
        operation: "productsFilteredByCategory",
        caller: "nobody",
        input: { id },
        ok: listed,
      };
    },
    "of an empty category": async ({ make }) => {
      const { id } = await make.category();
      return { operation: "productsOfCategory", caller: "nobody", input: { id }, ok: [] };
    },
  },
  run,
);

clause(
  "7.404",
  "what does not exist is 404 in REST and null in GraphQL",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const authorization = undefined;
    const missing = { input: { id: 2_000_000_000 }, authorization };
    for (const [operation, noun] of [
      ["getProduct", "Product"],
      ["productsOfCategory", "Category"],
    ] as const) {
      expect(await through.REST(twins.REST, { ...missing, operation })).toEqual({
        error: errorBody(404, `${noun} not found`),
      });
    }
    const read = { ...missing, operation: "getProduct" } as const;
    expect(await through.GraphQL(twins.GraphQL, read)).toEqual({ ok: null });
  },
);
