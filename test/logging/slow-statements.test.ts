/** @check */

import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { parsedLog, searchLog } from "../support/log-lines";
import { send, sendJson } from "../support/raw-http";

const CUSTOMER = "otto.customer@shop.example.org";

/** Makes every order take a while in the database, whichever statement stores it. */
const SLOW = `
  CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(0.06); RETURN new; END $$;
  CREATE TRIGGER dawdle BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION dawdle()`;

/** The same, and then the order fails. */
const inVain = (failure: string) => SLOW.replace("RETURN new;", `${failure}; RETURN new;`);

const slow = { level: "warn", msg: "slow statement", operation: "placeOrder" };

const place = (app: TestApp, key: string, id: number) =>
  sendJson(
    app.url,
    "POST",
    "/orders",
    JSON.stringify({ customerEmail: CUSTOMER, items: [{ productId: id, quantity: 1 }] }),
    { "x-request-id": key, "idempotency-key": key },
  );

test("statements that take long are logged with their time and placeholders, under the request's id", async () => {
  const app = await startApp({ slowQuery: 50 });
  const { id: productId } = await app.make.product();
  await app.sql(SLOW);
  expect((await place(app, "at-once", productId)).status).toBe(201);
  const atOnce = await searchLog(app, "at-once");
  expect(atOnce).toContainEqual(
    expect.objectContaining({ ...slow, statement: expect.stringContaining("$1") }),
  );
  expect(atOnce[0]!.milliseconds).toBeGreaterThanOrEqual(50);
  expect(JSON.stringify(atOnce)).not.toContain("otto");
  expect(atOnce.filter((line) => "failed" in line)).toEqual([]);
  await app.close();
});

test.each([
  ["deadlock", "RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'"],
  ["cancellation", "RAISE EXCEPTION USING ERRCODE = 'query_canceled'"],
  ["end of the session", "PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1)"],
])("a statement that fails after a while is logged as slow and failed: %s", async (_, failure) => {
  const app = await startApp({ slowQuery: 50 });
  const { id: productId } = await app.make.product();
  expect((await place(app, "before", productId)).status).toBe(201);
  await app.sql(inVain(failure));
  // A session that is over may be noticed when the request has been answered.
  const failedIn = (requestId: string) =>
    eventually(() =>
      parsedLog(app.log).find(({ id, failed }) => id === requestId && failed === true),
    );
  expect((await place(app, "at-once", productId)).status).toBe(503);
  expect(await failedIn("at-once")).toMatchObject({
    ...slow,
    statement: expect.stringMatching(/^WITH /),
  });
  expect(app.log.join()).not.toContain("otto");
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
