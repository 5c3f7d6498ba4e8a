import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";

const app = useApp();

const LONG_AGO = "2001-02-03T04:05:06.789Z";

/** An active product whose both timestamps lie long ago. */
async function oldProduct() {
  const product = await app.make.product({ created_at: LONG_AGO, is_active: true });
  await app.sql("UPDATE products SET updated_at = created_at WHERE id = $1", [product.id]);
  return product;
}

const setStatus = (id: number, isActive: boolean) =>
  app.http.patch(`/products/${id}/status`).set("Authorization", app.asAdmin).send({ isActive });

clauseEach(
  "2.product.updated-at",
  "updatedAt is refreshed by every update and createdAt is not",
  { "to another status": false, "to the status that it has already": true },
  async (isActive) => {
    const { id } = await oldProduct();
    const { body } = await setStatus(id, isActive);
    expect(body).toMatchObject({ id, isActive, createdAt: LONG_AGO });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(LONG_AGO));
    expect((await app.http.get(`/products/${id}`)).body).toEqual(body);
  },
);

clause("2.product.updated-at", "a refused update and an order leave it alone", async () => {
  const { id } = await oldProduct();
  const refused = await app.http
    .patch(`/products/${id}/status`)
    .set("Authorization", app.asAdmin)
    .send({ isActive: "false" });
  expect(refused.status).toBe(400);
  const order = { customerEmail: "a@example.com", items: [{ productId: id, quantity: 1 }] };
  expect((await app.http.post("/orders").send(order)).status).toBe(201);
  expect((await app.http.get(`/products/${id}`)).body.updatedAt).toBe(LONG_AGO);
});

clause("2.category.created-at", "an update leaves a category's createdAt alone", async () => {
  const { id } = await app.make.category();
  await app.sql("UPDATE categories SET created_at = $1 WHERE id = $2", [LONG_AGO, id]);
  const { body } = await app.http
    .patch(`/categories/${id}`)
    .set("Authorization", app.asAdmin)
    .send({ name: "Renamed", isActive: false });
  expect(body).toMatchObject({ name: "Renamed", isActive: false, createdAt: LONG_AGO });
});

clauseEach<[table: string, make: () => Promise<{ id: number }>, columns: string[]]>(
  "2.timestamps.stored",
  "timestamps are stored in milliseconds, so that what is shown is what sorts",
  {
    categories: ["categories", () => app.make.category(), ["created_at"]],
    products: ["products", () => app.make.product(), ["created_at", "updated_at"]],
    orders: ["orders", () => app.make.order(), ["created_at"]],
    subscribers: ["newsletter_subscribers", () => app.make.subscriber(), ["created_at"]],
  },
  async ([table, make, columns]) => {
    const { id } = await make();
    for (const column of columns) {
      const stored = await app.sql(
        `UPDATE ${table} SET ${column} = '2024-01-01T00:00:00.123456Z' WHERE id = $1
         RETURNING extract(epoch FROM ${column})::text LIKE '%.123000' AS exact`,
        [id],
      );
      expect(stored).toEqual([{ exact: true }]);
    }
  },
);
