import { dataOf, refusalOf } from "../graphql/client";
import { useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { change, leftBy } from "./entries";

const app = useApp({ catalogue: { cache: true } });

interface Product {
  readonly version: number;
  readonly updatedAt: string;
  readonly lowestPriceBefore: string | null;
  readonly prices: readonly { price: string; from: string; isWithdrawn: boolean }[];
}

const FIELDS = "version updatedAt lowestPriceBefore prices { price from isWithdrawn }";

const read = async (id: number): Promise<Product> =>
  (await dataOf<{ product: Product }>(app, `{ product(id: ${id}) { ${FIELDS} } }`)).product;

const WITHDRAW = `mutation ($productId: Int!, $from: DateTime!, $expectedVersion: Int) {
  withdrawPrice(productId: $productId, from: $from, expectedVersion: $expectedVersion) { ${FIELDS} }
}`;

const setPrice = (id: number, price: string) =>
  dataOf(app, `mutation { updateProduct(id: ${id}, input: { price: "${price}" }) { id } }`);

/** A product of 10.00 that cost 1.00 for a moment, and when that began. */
async function withMistake() {
  const { id } = await app.make.product({ price: "10.00" });
  await setPrice(id, "1.00");
  return { id, from: (await read(id)).prices[0]!.from, corrected: () => setPrice(id, "10.00") };
}

graphqlClause("10.prices.withdraw", "a mistake counts no more as a former price", async () => {
  const { id, from, corrected } = await withMistake();
  await corrected();
  const before = await read(id);
  expect(before.lowestPriceBefore).toBe("1.00");
  const { left, result } = await leftBy(app, () =>
    dataOf<{ withdrawPrice: Product }>(app, WITHDRAW, {
      ...{ productId: id, from, expectedVersion: before.version },
    }),
  );
  const after = await read(id);
  expect(result.withdrawPrice).toEqual(after);
  expect(after).toMatchObject({ version: before.version + 1, lowestPriceBefore: "10.00" });
  expect(after.updatedAt > before.updatedAt).toBe(true);
  expect(after.prices.map(({ price, isWithdrawn }) => [price, isWithdrawn])).toEqual([
    ...[
      ["10.00", false],
      ["1.00", true],
      ["10.00", false],
    ],
  ]);
  expect(left).toMatchObject([
    {
      ...{ door: "GRAPHQL", operation: "withdrawPrice", subject: "PRODUCT", subjectId: id },
      changes: [change(`prices.${from}.isWithdrawn`, "false", "true")],
    },
  ]);
  const { events } = await dataOf<{ events: { edges: { node: object }[] } }>(
    app,
    `{ events(first: 1, filter: { subject: PRODUCT, subjectId: ${id} }) { edges { node { type version data } } } }`,
  );
  expect(events.edges[0]!.node).toMatchObject({
    ...{ type: "product.updated", version: after.version, data: { changed: ["prices"] } },
  });
});

graphqlClause("10.prices.withdraw", "withdrawing it again changes nothing", async () => {
  const { id, from, corrected } = await withMistake();
  await corrected();
  await dataOf(app, WITHDRAW, { productId: id, from });
  const once = await read(id);
  const { left, result } = await leftBy(app, () => dataOf(app, WITHDRAW, { productId: id, from }));
  expect(result).toEqual({ withdrawPrice: once });
  expect(left).toEqual([]);
});

describe("a price is not withdrawn", () => {
  const refused = async (productId: number, from: string, expectedVersion?: number) => {
    const { lowestPriceBefore } = await read(productId);
    const { code, http } = await refusalOf(app, WITHDRAW, { productId, from, expectedVersion });
    expect((await read(productId)).lowestPriceBefore).toBe(lowestPriceBefore);
    return [code, http.message];
  };

  graphqlClause("10.prices.withdraw", "if it is the present one", async () => {
    const { id, from } = await withMistake();
    expect(await refused(id, from)).toEqual(["CONFLICT", "The present price can't be withdrawn"]);
  });

  graphqlClause("10.prices.withdraw", "if it was in force for more than an hour", async () => {
    const { id, corrected } = await withMistake();
    await corrected();
    const [present, , first] = (await read(id)).prices;
    await app.sql(
      "UPDATE product_prices SET began = '2020-01-01' WHERE product_id = $1 AND began = $2",
      [...[id, first!.from]],
    );
    const begin = async (milliseconds: number) => {
      const began = new Date(Date.parse(present!.from) - milliseconds).toISOString();
      await app.sql("UPDATE product_prices SET began = $2 WHERE product_id = $1 AND price = 1", [
        ...[id, began],
      ]);
      return began;
    };
    const message = "The price was in force for more than an hour";
    expect(await refused(id, await begin(3_600_001))).toEqual(["CONFLICT", message]);
    await dataOf(app, WITHDRAW, { productId: id, from: await begin(3_600_000) });
  });

  graphqlClause("10.prices.withdraw", "if an order was placed at it", async () => {
    const { id, from, corrected } = await withMistake();
    const { body } = await app.http
      .post("/orders")
      .send({ customerEmail: "al@example.com", items: [{ productId: id, quantity: 1 }] });
    await corrected();
    const message = "Orders were placed at the price";
    expect(await refused(id, from)).toEqual(["CONFLICT", message]);
    const { id: order } = body as { id: number };
    await dataOf(app, `mutation { setOrderStatus(id: ${order}, status: CANCELLED) { id } }`);
    expect(await refused(id, from)).toEqual(["CONFLICT", message]);
  });

  graphqlClause("10.prices.withdraw", "if an order at it is under way", async () => {
    const { id, from, corrected } = await withMistake();
    await corrected();
    const underWay = `WITH placed AS (
        INSERT INTO orders (customer_email, total_amount) VALUES ('bo@example.com', 1) RETURNING id)
      INSERT INTO order_items (order_id, product_id, quantity, unit_price) SELECT id, ${id}, 1, 1 FROM placed`;
    const message = "Orders were placed at the price";
    await besideLock(app, underWay, async (holder) => {
      const answer = refused(id, from);
      await eventually(async () => (await waitingForLocks(app)) > 0);
      await holder.query("COMMIT");
      expect(await answer).toEqual(["CONFLICT", message]);
    });
  });

  graphqlClause("10.prices.withdraw", "if version, price or product is another", async () => {
    const { id, from, corrected } = await withMistake();
    await corrected();
    expect(await refused(id, from, 2)).toEqual([
      ...["CONFLICT", `Product ${id} has changed: its version is 3, not 2`],
    ]);
    expect(await refused(id, "2020-01-01T00:00:00Z")).toEqual(["NOT_FOUND", "Price not found"]);
    const { code } = await refusalOf(app, WITHDRAW, { productId: 2_147_483_647, from });
    expect(code).toBe("NOT_FOUND");
  });
});
