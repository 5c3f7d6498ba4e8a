import { useApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { everythingStored } from "../support/stored";
import { atGraphql, doors, post, storedKeys, type OrderBody } from "./place";
import { expectRefused, extensionsOf } from "../support/refusals";

let body: OrderBody;
const app = useApp();
beforeAll(async () => {
  const { id } = await app.make.product({ price: "12.50" });
  body = { customerEmail: "mina@example.com", items: [{ productId: id, quantity: 2 }] };
});

/** Texts, each as a case of its own. */
const byText = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text) => [JSON.stringify(text), text]));

describe.each(Object.entries(doors))("at %s", (_label, place) => {
  test.each(["25", "25.0", "25.00", "025.00"])("%s is the total", async (expectedTotal) => {
    const { status, order } = await place(app, body, { expectedTotal });
    expect([status, order?.totalAmount]).toEqual([201, "25.00"]);
  });

  test("however the expected total is written, under a key it is the same request", async () => {
    const key = crypto.randomUUID();
    const first = await place(app, body, { key, expectedTotal: "25" });
    const again = await place(app, body, { key, expectedTotal: "25.00" });
    expect(again.order?.id).toBe(first.order?.id);
  });
});

clauseEach(
  "4.expected-total",
  "another total is refused with the current one, and nothing is stored",
  { doors: ["REST", "GraphQL"] },
  byText(["24.99", "25.01", "0", "0.00", "99999999.99"]),
  async (expectedTotal) => {
    const before = await everythingStored(app);
    const amount = expectedTotal === "0" ? "0.00" : expectedTotal;
    const message = `totalAmount is 25.00, not ${amount}`;
    expectRefused(await post(app, body, { expectedTotal, key: "unused" }), 409, message);
    const { error } = await atGraphql(app, body, { expectedTotal, key: "unused" });
    expect(error?.extensions).toEqual(extensionsOf(409, message));
    expect(await everythingStored(app)).toEqual(before);
    expect(await storedKeys(app)).not.toContain("unused");
  },
);

clauseEach(
  "4.expected-total",
  "an expected total that is none is refused",
  { doors: ["REST", "GraphQL"] },
  byText([
    ...["", "abc", "-25", "+25", "25.001", "25,00", "25.", ".5", "1e1", "0x19", "Infinity", "NaN"],
    ...["25 00", "$25", "100000000.00", "99999999999999999999", '"25.00"', "25.00, 25.00"],
  ]),
  async (expectedTotal) => {
    const before = await everythingStored(app);
    const message = [
      "expectedTotal must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places",
    ];
    expectRefused(await post(app, body, { expectedTotal }), 400, message);
    const { error } = await atGraphql(app, body, { expectedTotal });
    expect(error?.extensions).toEqual(extensionsOf(400, message));
    expect(await everythingStored(app)).toEqual(before);
  },
);
