import { doors, type OrderBody } from "../idempotency/place";
import { useApp } from "../support/app";
import { parsedLog } from "../support/log-lines";

let order: OrderBody;
const app = useApp();
beforeAll(async () => {
  const { id: productId } = await app.make.product();
  order = { customerEmail: "otto.customer@shop.example.org", items: [{ productId, quantity: 1 }] };
  await app.sql("ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_key_length");
  await app.sql("ALTER TABLE idempotency_keys ALTER key TYPE integer USING 0");
});

describe.each(Object.entries(doors))("a column that has another type now, at %s", (_, door) => {
  test.each([
    ["under-this-key-Otto-7", "22P02", 'invalid input syntax for type integer: "…"'],
    ['under-this-"key":"Otto-7', "22P02", 'invalid input syntax for type integer: "…"'],
    ["471147114711", "22003", 'value "…" is out of range for type integer'],
  ])("the log says what is wrong and not the value: %s", async (key, code, message) => {
    app.log.length = 0;
    expect((await door(app, order, { key })).status).toBe(500);
    const { err } = parsedLog(app.log).find(({ level }) => level === "error")!;
    expect(err).toMatchObject({ code, message });
    expect(err!.stack).toContain(`${message}\n    at `);
    expect(err!.stack).toContain("services/orders/");
    expect(app.log.join()).not.toMatch(/under-this|Otto|4711/);
  });
});
