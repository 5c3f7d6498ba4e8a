import { startApp } from "../support/app";
import { searchLog } from "../support/log-lines";
import { send, sendJson } from "../support/raw-http";

const CUSTOMER = "otto.customer@shop.example.org";

/** Makes every order take a while in the database, whichever statement stores it. */
const SLOW = `
  CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(0.06); RETURN new; END $$;
  CREATE TRIGGER dawdle BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION dawdle()`;

const slow = { level: "warn", msg: "slow statement", operation: "placeOrder" };

test("statements that take long are logged with their time and placeholders, under the request's id", async () => {
  const app = await startApp({ slowQuery: 50 });
  const { id: productId } = await app.make.product();
  await app.sql(SLOW);
  const body = JSON.stringify({ customerEmail: CUSTOMER, items: [{ productId, quantity: 1 }] });
  const place = (key: string) =>
    sendJson(app.url, "POST", "/orders", body, { "x-request-id": key, "idempotency-key": key });

  expect((await place("at-once")).status).toBe(201);
  const atOnce = await searchLog(app, "at-once");
  expect(atOnce).toContainEqual(
    expect.objectContaining({ ...slow, statement: expect.stringContaining("$1") }),
  );
  expect(atOnce[0]!.milliseconds).toBeGreaterThanOrEqual(50);

  // A key that has expired leads to an order in steps, whose statements are Sequelize's.
  await app.sql("UPDATE idempotency_keys SET created_at = '2000-01-01'");
  expect((await place("at-once")).status).toBe(201);
  const both = await searchLog(app, "at-once");
  expect(both.filter(({ msg }) => msg === slow.msg).map(({ statement }) => statement)).toEqual([
    expect.stringContaining("WITH"),
    expect.stringMatching(/^INSERT INTO "orders"/),
  ]);
  expect(JSON.stringify(both)).not.toContain("otto");
  await app.close();
});

test("no statement is called slow unless that is asked for", async () => {
  const app = await startApp();
  await app.sql(SLOW);
  const { id: productId } = await app.make.product();
  const body = JSON.stringify({ customerEmail: CUSTOMER, items: [{ productId, quantity: 1 }] });
  await sendJson(app.url, "POST", "/orders", body, { "x-request-id": "unasked" });
  await send(app.url, { method: "GET", path: "/products" });
  expect((await searchLog(app, "unasked")).map(({ msg }) => msg)).toEqual(["answered"]);
  await app.close();
});
