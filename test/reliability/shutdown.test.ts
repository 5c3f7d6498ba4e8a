import { Agent } from "node:http";
import { Client } from "pg";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { send } from "../support/raw-http";
import { startService } from "../support/service";
import { newOrder, place } from "./orders";

const app = useApp();

test("a shutdown answers what was accepted, tells others to go, and ends with exit code 0", async () => {
  const service = await startService(app.database.url, { KEEP_ALIVE_TIMEOUT: "620" });
  const { id: productId } = await app.make.product();
  const idle = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await send(service.url, { method: "GET", path: "/health/live" }, idle);
  expect(first.headers["keep-alive"]).toBe("timeout=618");
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE");
  const accepted = place(service.url, newOrder(productId));
  await eventually(async () => (await waitingForLocks(app)) === 1);
  service.signal("SIGTERM");
  await service.logs("draining");
  service.signal("SIGTERM");
  const ready = await send(service.url, { method: "GET", path: "/health/ready" }, idle);
  await holder.end();
  expect([ready.status, ready.headers.connection]).toEqual([503, "close"]);
  expect((await accepted).status).toBe(201);
  expect((await accepted).headers.connection).toBe("close");
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(service.printed().match(/"draining"/g)).toHaveLength(1);
  await expect(place(service.url, newOrder(productId))).rejects.toThrow("ECONNREFUSED");
});
