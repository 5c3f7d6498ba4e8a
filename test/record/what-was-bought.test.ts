import { dataOf } from "../graphql/client";
import { post } from "../idempotency/place";
import { tea } from "../cli/terminal";
import { useApp } from "../support/app";

// An order shows what was bought under the name and slug of that day, whatever becomes of the product.

const app = useApp();

interface Item {
  readonly productName: string;
  readonly productSlug: string;
  readonly product: { readonly name: string; readonly slug: string };
}

const ITEMS = "id items { productName productSlug product { name slug } }";

const itemsOf = async (id: number): Promise<Item[]> =>
  (await dataOf<{ order: { items: Item[] } }>(app, `{ order(id: ${id}) { ${ITEMS} } }`)).order
    .items;

const bodyOf = (productId: number) => ({
  customerEmail: "mina@example.com",
  items: [{ productId, quantity: 2 }],
});

/** An order that a client has just placed. */
type Placing = (productId: number) => Promise<{ id: number; items?: Item[] }>;

const atRest: Placing = async (productId) => {
  const { status, body } = await post(app, bodyOf(productId));
  expect(status).toBe(201);
  return { id: (body as { id: number }).id };
};

const atGraphql: Placing = async (productId) => {
  const document = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { ${ITEMS} } }`;
  const variables = { input: bodyOf(productId) };
  return (await dataOf<{ placeOrder: { id: number; items: Item[] } }>(app, document, variables))
    .placeOrder;
};

/** As a release from before the names were kept stores it. */
const bySql: Placing = async (product_id) => {
  const { id } = await app.make.order();
  await app.make.orderItem({ order_id: id, product_id });
  return { id };
};

let serial = 0;
const newProduct = () => {
  serial += 1;
  return app.make.product({ name: `Sencha ${serial}`, slug: `sencha-${serial}` });
};

test.each<[string, Placing]>([
  ["at REST", atRest],
  ["at GraphQL", atGraphql],
  ["by SQL", bySql],
])("an order that is placed %s keeps the name and slug of its products", async (_how, place) => {
  const { id: productId, name, slug } = await newProduct();
  const placed = await place(productId);
  const before = { productName: name, productSlug: slug };
  if (placed.items) expect(placed.items).toEqual([{ ...before, product: { name, slug } }]);

  await dataOf(
    app,
    `mutation { updateProduct(id: ${productId}, input: { name: "Gyokuro", slug: "new-${slug}" }) { id } }`,
  );
  expect(await itemsOf(placed.id)).toEqual([
    { ...before, product: { name: "Gyokuro", slug: `new-${slug}` } },
  ]);
  expect(await itemsOf((await place(productId)).id)).toMatchObject([
    { productName: "Gyokuro", productSlug: `new-${slug}` },
  ]);
});

test("a replay shows what was bought, and REST's answer is the first one to the byte", async () => {
  const { id: productId, name } = await newProduct();
  const key = `replayed-${productId}`;
  const first = await post(app, bodyOf(productId), { key });
  await app.sql("UPDATE products SET name = 'Renamed' WHERE id = $1", [productId]);

  expect((await post(app, bodyOf(productId), { key })).text).toBe(first.text);
  expect(first.text).not.toContain("productName");
  const document = `mutation ($input: PlaceOrderInput!) {
    placeOrder(input: $input, idempotencyKey: "${key}") { ${ITEMS} }
  }`;
  const replay = await dataOf(app, document, { input: bodyOf(productId) });
  expect(replay).toMatchObject({
    placeOrder: { items: [{ productName: name, product: { name: "Renamed" } }] },
  });
});

test("of two items, each has the names of its own product", async () => {
  const [one, other] = [await newProduct(), await newProduct()];
  const items = [other, one].map(({ id }) => ({ productId: id, quantity: 1 }));
  const { body } = await post(app, { customerEmail: "mina@example.com", items });
  expect(await itemsOf((body as { id: number }).id)).toMatchObject([
    { productName: other.name, productSlug: other.slug },
    { productName: one.name, productSlug: one.slug },
  ]);
});

const exported = async (format: string): Promise<string> => {
  const { stdout } = await tea(`orders export --format ${format} --status PAID`, {
    environment: { DATABASE_URL: app.database.url },
  });
  return stdout;
};

test("an export has the names as bought", async () => {
  const product = await newProduct();
  const { id } = await bySql(product.id);
  await app.sql("UPDATE orders SET status = 'PAID' WHERE id = $1", [id]);
  await app.sql("UPDATE products SET name = 'Later', slug = 'later' WHERE id = $1", [product.id]);
  expect(await exported("csv")).toContain(`,${product.slug},${product.name},1,10.00\n`);
  const kept = { product: product.slug, productName: product.name };
  expect(JSON.parse(await exported("jsonl"))).toMatchObject({ items: [kept] });
});
