import { useApp } from "../support/app";
import { clause } from "../support/clause";

// Many clients at once, as they come.

const app = useApp();

const order = (productIds: number[], customerEmail = "crowd@example.com") =>
  app.http.post("/orders").send({
    customerEmail,
    items: productIds.map((productId) => ({ productId, quantity: 1 })),
  });
const setStatus = (id: number, isActive: boolean) =>
  app.http.patch(`/products/${id}/status`).set("Authorization", app.asAdmin).send({ isActive });

const times = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

/** The answers by status, such as `{ 201: 3, 400: 1 }`. */
function tally(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const ordersOf = async (productId: number): Promise<number> =>
  (await app.sql<{ id: number }>("SELECT id FROM order_items WHERE product_id = $1", [productId]))
    .length;

clause(
  "4.races.deactivation",
  "every order that began after a deactivation was acknowledged is refused",
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await app.make.product();
      let acknowledged = false;
      const early: number[] = [];
      const late: number[] = [];
      const once = async (): Promise<void> => {
        const list = acknowledged ? late : early;
        list.push((await order([id])).status);
      };
      const client = async (): Promise<void> => {
        while (late.length < 8) await once();
      };
      const clients = times(4, client);
      while (early.length < 6) await once();
      expect((await setStatus(id, false)).status).toBe(200);
      acknowledged = true;
      await Promise.all(clients);
      expect(new Set(late)).toEqual(new Set([400]));
      for (const status of early) expect([201, 400]).toContain(status);
      // What arrived before may be stored later, what arrived afterwards never is.
      expect(await ordersOf(id)).toBe(early.filter((status) => status === 201).length);
    }
  },
);

clause(
  "4.races.deletion",
  "a product deleted under orders: 409 or all of them are refused, never a 500",
  async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id } = await app.make.product();
      const remove = app.http.delete(`/products/${id}`).set("Authorization", app.asAdmin);
      const before = times(round, () => order([id]).then((answer) => answer));
      const deletion = remove.then((answer) => answer);
      const after = times(6 - round, () => order([id]).then((answer) => answer));
      const answers = await Promise.all([...before, ...after]);
      const { status } = await deletion;
      expect([200, 409]).toContain(status);
      const placed = answers.filter((answer) => answer.status === 201).length;
      expect(answers.filter((answer) => answer.status === 400)).toHaveLength(6 - placed);
      expect(placed > 0).toBe(status === 409);
      expect(await ordersOf(id)).toBe(placed);
    }
    expect(
      await app.sql(
        `SELECT order_items.id FROM order_items LEFT JOIN products ON products.id = product_id
         WHERE products.id IS NULL`,
      ),
    ).toEqual([]);
  },
);

clause(
  "4.races.locks",
  "orders that list products in opposite orders, under changes of both, never fail",
  async () => {
    const { id: a, category_id } = await app.make.product();
    const { id: b } = await app.make.product({ category_id });
    const answers = await Promise.all(
      times(120, (index) => {
        if (index % 3 === 0) return setStatus(index % 2 ? a : b, index % 4 < 2);
        return order(index % 2 ? [a, b] : [b, a], "opposite@example.com");
      }),
    );
    const { 200: changed, 201: placed = 0, 400: refused = 0, ...others } = tally(answers);
    expect(others).toEqual({});
    expect([changed, placed + refused]).toEqual([40, 80]);
    expect(
      await app.sql(
        `SELECT count(DISTINCT orders.id)::integer AS orders, count(*)::integer AS items
         FROM orders JOIN order_items ON order_id = orders.id
         WHERE customer_email = 'opposite@example.com'`,
      ),
    ).toEqual([{ orders: placed, items: 2 * placed }]);
  },
);

clause("4.races.deletion", "of ten deletions at once one is 200 and nine are 404", async () => {
  const product = await app.make.product();
  const category = await app.make.category();
  for (const path of [`/products/${product.id}`, `/categories/${category.id}`]) {
    const answers = await Promise.all(
      times(10, () => app.http.delete(path).set("Authorization", app.asAdmin)),
    );
    expect(tally(answers)).toEqual({ 200: 1, 404: 9 });
  }
});

clause("4.races.orders", "50 equal orders at once are 50 orders", async () => {
  const { id } = await app.make.product({ price: "0.10" });
  const answers = await Promise.all(times(50, () => order([id])));
  expect(tally(answers)).toEqual({ 201: 50 });
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50);
  expect(new Set(answers.map(({ body }) => body.items[0].id)).size).toBe(50);
  expect(new Set(answers.map(({ body }) => body.totalAmount))).toEqual(new Set(["0.10"]));
});
