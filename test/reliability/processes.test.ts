/** @check */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { Agent, request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { useApp } from "../support/app";
import { answersIn, openSocket, sendJson } from "../support/raw-http";
import { isAlive } from "../../src/embedded-postgres/system";
import { auditOrders, newOrder, NOTHING_WRONG, place, placeUntilAcknowledged } from "./orders";
import { eventually } from "../support/eventually";
import { startService } from "../support/service";

// The app makes the database and fills it; what is tested are processes beside it.
let productId: number;
const app = useApp();
beforeAll(async () => {
  productId = (await app.make.product()).id;
});

const url = () => app.database.url;

/** Sends the head of an order; resolves when it is accepted, and sends the body with `finish`. */
async function beginOrder(base: string): Promise<{ finish: () => Promise<number | undefined> }> {
  const { key, body } = newOrder(productId);
  const headers = {
    "idempotency-key": key,
    "content-type": "application/json",
    "content-length": body.length,
    expect: "100-continue",
  };
  const outgoing = request(`${base}/orders`, { method: "POST", headers, agent: new Agent() });
  await once(outgoing, "continue");
  return {
    finish: async () => {
      const answer = once(outgoing, "response") as Promise<[IncomingMessage]>;
      outgoing.end(body);
      const [incoming] = await answer;
      incoming.resume();
      return incoming.statusCode;
    },
  };
}

test("a service that is killed under load loses and doubles nothing", async () => {
  const first = await startService(url());
  const acknowledged: number[] = [];
  const orders = Array.from({ length: 40 }, async () => {
    acknowledged.push(await placeUntilAcknowledged(first.url, newOrder(productId)));
  });
  await Promise.race(orders);
  first.signal("SIGKILL");
  await first.ended;
  const second = await startService(url(), { PORT: new URL(first.url).port });
  await Promise.all(orders);
  second.signal("SIGTERM");
  await second.ended;
  expect(acknowledged).toHaveLength(orders.length);
  expect(await auditOrders(url(), acknowledged)).toEqual(NOTHING_WRONG);
});

/** The orders that requests with one key place at once, over both doors. */
async function idsOfOneKey(base: string): Promise<number[]> {
  const order = newOrder(productId);
  const graphql = JSON.stringify({
    query: `mutation ($input: PlaceOrderInput!, $key: String!) {
      placeOrder(input: $input, idempotencyKey: $key) { id }
    }`,
    variables: { input: JSON.parse(order.body), key: order.key },
  });
  return Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      if (index % 2 === 0) return ((await place(base, order)).body as { id: number }).id;
      const { body } = await sendJson(base, "POST", "/graphql", graphql);
      return (body as { data: { placeOrder: { id: number } } }).data.placeOrder.id;
    }),
  );
}

/** What the system says of a process: T if it is stopped, Z if it has ended and its parent has not heard. */
async function stateOf(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)]);
  return stdout.charAt(0);
}

test("a worker that ends by a fault gives back the connection that it was handed last", async () => {
  const preload = path.join(__dirname, "../support/fault-on-signal.cjs");
  const service = await startService(url(), {
    WEB_CONCURRENCY: "2",
    NODE_OPTIONS: `--require ${preload}`,
  });
  const [first] = await service.logs("listening", 2);
  // The connections wait at the primary, which does not hear yet that the worker listens no more.
  service.signal("SIGSTOP");
  await eventually(async () => (await stateOf(service.pid)) === "T");
  const sockets = Array.from({ length: 4 }, () => openSocket(service.url));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const pid = first!.pid!;
  process.kill(pid, "SIGUSR2");
  // Its primary, which is stopped, leaves a zombie where it has ended.
  await eventually(
    async () => service.printed().includes("leaving\n") || (await stateOf(pid)) === "Z",
  );
  service.signal("SIGCONT");
  const answers = sockets.map((socket) => {
    socket.write("GET /health/live HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
    return text(socket);
  });
  const statuses = (await Promise.all(answers)).map((answer) => answersIn(answer)[0]?.status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(await service.logs("a worker died")).toMatchObject([{ worker: pid, code: 1 }]);
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

test("a key places one order over both doors of two workers, and a shutdown during a roll answers what both accepted", async () => {
  const service = await startService(url(), { WEB_CONCURRENCY: "2" });
  const ids = await idsOfOneKey(service.url);
  expect(new Set(ids).size).toBe(1);
  expect(await auditOrders(url(), ids)).toEqual(NOTHING_WRONG);
  // Connections go to the workers in turn, and the first worker is rolled first.
  const first = await beginOrder(service.url);
  const second = await beginOrder(service.url);
  service.signal("SIGHUP");
  await service.logs("draining");
  service.signal("SIGTERM");
  await service.logs("draining", 3);
  const workers = await service.logs("listening", 3);
  expect(workers).toHaveLength(3);
  expect(await second.finish()).toBe(201);
  await eventually(() => workers.filter(({ pid }) => isAlive(pid!)).length <= 1);
  expect(await first.finish()).toBe(201);
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

test("a service is ready again as soon as its files can be read again", async () => {
  const root = path.join(__dirname, "../..");
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-release-"));
  for (const name of ["dist", "migrations", "package.json"]) {
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const service = await startService(url(), {}, path.join(folder, "dist/main.js"));
  const ready = async () => (await fetch(`${service.url}/health/ready`)).status;
  await rename(path.join(folder, "migrations"), path.join(folder, "away"));
  expect(await ready()).toBe(503);
  await rename(path.join(folder, "away"), path.join(folder, "migrations"));
  expect(await ready()).toBe(200);
  service.signal("SIGTERM");
  await service.ended;
  await rm(folder, { recursive: true });
});
