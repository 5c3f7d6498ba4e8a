import { Client } from "pg";
import { startApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { searchLog } from "../support/log-lines";
import { send, sendJson } from "../support/raw-http";

test("the line of a request that is refused under overload names the operation at REST", async () => {
  const busy = await startApp({
    database: { poolSize: 1, queueLimit: 0 },
    catalogue: { cache: false, shared: false },
  });
  const holder = new Client({ connectionString: busy.database.url });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE categories");
  const first = send(busy.url, { method: "GET", path: "/categories" });
  await eventually(async () => (await waitingForLocks(busy)) === 1);

  const refusals = {
    products: await send(busy.url, { method: "GET", path: "/products" }),
    orders: await send(busy.url, { method: "GET", path: "/orders" }),
  };
  for (const [operation, { status, headers }] of Object.entries(refusals)) {
    expect(status).toBe(503);
    expect(await searchLog(busy, String(headers["x-request-id"]))).toEqual([
      expect.objectContaining({ msg: "answered", operation, status: 503 }),
    ]);
  }
  const body = JSON.stringify({ query: "query Teas { products { data { id } } }" });
  const { status, headers } = await sendJson(busy.url, "POST", "/graphql", body);
  expect(status).toBe(503);
  const [line] = await searchLog(busy, String(headers["x-request-id"]));
  expect(line).not.toHaveProperty("operation"); // it refuses before it reads the document

  await holder.end();
  expect((await first).status).toBe(200);
  await busy.close();
});
