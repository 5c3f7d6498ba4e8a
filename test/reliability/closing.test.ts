import { Client } from "pg";
import { startApp } from "../support/app";
import { send, sendJson } from "../support/raw-http";
import { waitingForLocks } from "../support/locks";
import { newOrder, place } from "./orders";
import { eventually } from "../support/eventually";

const CATEGORIES = '{"query":"{ categories { id } }"}';

test("what comes or waits when the shop closes is refused, and no failure is logged", async () => {
  const app = await startApp({ database: { poolSize: 2 } });
  const { id } = await app.make.product();
  const holder = new Client({ connectionString: app.database.url });
  try {
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE products, categories, orders");
    const requests = () => [
      send(app.url, { method: "GET", path: "/categories" }),
      send(app.url, { method: "GET", path: `/products/${id}` }),
      send(app.url, { method: "GET", path: "/orders", headers: { authorization: app.asAdmin } }),
      place(app.url, newOrder(id)),
      sendJson(app.url, "POST", "/graphql", CATEGORIES),
    ];
    // Some hold a connection, the others wait for one.
    const waiting = [...requests(), ...requests(), ...requests()];
    await eventually(async () => (await waitingForLocks(app)) === 2);
    // And some begin in the moment of closing, before and after it.
    const beginning = requests();
    await new Promise((resolve) => setImmediate(resolve));
    const closed = app.shop.close();
    const late = requests();
    await holder.query("ROLLBACK");
    await closed;
    const afterwards = requests();
    for (const { status, body } of await Promise.all([...beginning, ...late, ...waiting])) {
      const errors = (body as { errors?: { extensions: { http: { statusCode: number } } }[] })
        .errors;
      expect([200, 201, 503]).toContain(errors?.[0]!.extensions.http.statusCode ?? status);
    }
    for (const { status, body } of await Promise.all(afterwards)) {
      const [error] = (body as { errors?: { extensions: { code: string } }[] }).errors ?? [];
      expect(error?.extensions.code ?? status).toBe(error ? "SERVICE_UNAVAILABLE" : 503);
    }
    expect(app.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
  } finally {
    await holder.end();
    await app.close();
  }
});
