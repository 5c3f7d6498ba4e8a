/** @check */
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { Client } from "pg";
import { createDatabase, type TestDatabase } from "../support/database";
import { eventually } from "../support/eventually";
import { newDataDir, startLocalService } from "../support/local-service";
import { exchange, openSocket } from "../support/raw-http";
import { repetitions } from "../support/repetitions";
import { spawnService, startService, type Service } from "../support/service";
import { seriesIn } from "./series";

jest.setTimeout(60_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const start = (settings: Record<string, string> = {}): Promise<Service> =>
  startService(database.url, { METRICS: "127.0.0.1:0", ...settings });

/** Where a service serves its metrics. */
const metricsOf = async (service: Service): Promise<string> =>
  (await service.logs("serving metrics"))[0]!.address!;

const scrape = async (address: string) =>
  seriesIn(await (await fetch(`${address}/metrics`)).text());

async function expectToEndInOrder(service: Service): Promise<void> {
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
}

/** How many paths, and names of operations, are asked for. */
const MANY = repetitions({ few: 1000, all: 10_000 });
/** Requests of each kind that are sent at once over a connection. */
const AT_A_TIME = 50;

/** A path and an operation name that no other number has, as they are sent over a connection. */
function ofNumber(number: number): string {
  const path = `/${number % 2 === 0 ? "nowhere" : "products"}/x${number}`;
  const query = `query Name${number} { alias${number}: __typename }`;
  const body = JSON.stringify({ query, operationName: `Name${number}` });
  return (
    `GET ${path} HTTP/1.1\r\nHost: shop\r\n\r\n` +
    `POST /graphql HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

const READS = 'tea_requests_total{door="rest",operation="GET /categories",code="200"}';
const TIMED = 'tea_request_duration_seconds_count{door="rest",operation="GET /categories"}';

describe("of one process", () => {
  let service: Service;
  let address: string;
  beforeAll(async () => {
    service = await start();
    address = await metricsOf(service);
  });

  test("metrics are served at an address of their own, and nothing else is", async () => {
    await (await fetch(`${service.url}/categories`)).arrayBuffer();
    const page = await fetch(`${address}/metrics?name=x`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(seriesIn(await page.text()).get(READS)).toBe(1);
    for (const [method, path] of [
      ["GET", "/"],
      ["GET", "/metrics/"],
      ["POST", "/metrics"],
      ["GET", "/categories"],
    ]) {
      expect((await fetch(address + path!, { method: method! })).status).toBe(404);
    }
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  test(`${MANY} paths and ${MANY} operation names add no series`, async () => {
    const series = async () =>
      [...(await scrape(address))].filter(([name]) => name.startsWith("tea_"));
    const names = async () => (await series()).map(([name]) => name).toSorted();
    const exchangeFrom = (first: number) => {
      const requests = Array.from({ length: AT_A_TIME }, (_, index) => ofNumber(first + index));
      return exchange(service.url, `${requests.join("")}GET / HTTP/1.0\r\n\r\n`);
    };
    await exchangeFrom(0);
    // What the database counts is shown when it has answered, which may be some scrapes later.
    const before = await eventually(async () => {
      const shown = await names();
      const late = ["tea_webhook_endpoints", "tea_database_sequence_used_ratio"];
      return late.every((each) => shown.some((name) => name.startsWith(each))) && shown;
    });
    for (let sent = AT_A_TIME; sent < MANY; sent += AT_A_TIME) await exchangeFrom(sent);
    await eventually(async () => {
      const requests = (await series()).filter(([name]) => name.startsWith("tea_requests_total{"));
      return requests.reduce((sum, [, count]) => sum + count, 0) >= 2 * MANY;
    });
    expect(await names()).toEqual(before);
  }, 120_000);

  test("nobody who is connected to its metrics keeps a service from ending", async () => {
    const idle = openSocket(address);
    await once(idle, "connect");
    await expectToEndInOrder(service);
    idle.destroy();
    await expect(fetch(`${address}/metrics`)).rejects.toThrow("fetch failed");
  });
});

test("an address that can't be listened on is a fault that names it", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  for (const settings of [{ METRICS: address }, { METRICS: address, WEB_CONCURRENCY: "2" }]) {
    const refused = spawnService(database.url, settings);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.printed()).toContain(`METRICS ${address} is already in use`);
  }
  taken.close();
  const refused = spawnService(database.url, { METRICS: "[2001:db8::1]:9464" });
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.printed()).toContain(
    "METRICS [2001:db8::1]:9464 is not an address of this machine",
  );
});

describe("with workers", () => {
  const WORKERS = 2;

  let service: Service;
  let address: string;
  let sent = 0;
  beforeAll(async () => {
    service = await start({ WEB_CONCURRENCY: String(WORKERS) });
    address = await metricsOf(service);
  });

  const read = async () => {
    // A connection for each, so that both workers get some.
    const headers = { connection: "close" };
    await (await fetch(`${service.url}/categories`, { headers })).arrayBuffer();
    sent += 1;
  };
  /** How many connections the pools of all workers may open. */
  const most = async () => (await scrape(address)).get("tea_database_connections_max");
  const expectAll = async () => {
    await eventually(async () => (await scrape(address)).get(READS) === sent);
    const page = await scrape(address);
    expect([page.get("tea_workers"), page.get(TIMED)]).toEqual([WORKERS, sent]);
  };

  test("what the database counts is not added up", async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "INSERT INTO webhook_endpoints (url, secret) VALUES ('https://a.example/', '')",
    );
    const endpoints = async () =>
      (await scrape(address)).get('tea_webhook_endpoints{state="active"}');
    await eventually(async () => (await endpoints()) !== undefined);
    // By the next pages, all workers have asked the database.
    const next = [await endpoints(), await endpoints(), await endpoints()];
    expect(next).toEqual([1, 1, 1]);
    await client.query("DELETE FROM webhook_endpoints");
    await client.end();
  });

  test("a worker that does not answer keeps its last numbers, and delays nobody for long", async () => {
    const [worker] = await service.logs("listening", WORKERS);
    await read();
    expect((await scrape(address)).get(READS)).toBe(1);
    process.kill(worker!.pid!, "SIGSTOP");
    const pages = await Promise.all([scrape(address), scrape(address)]);
    expect(pages.map((page) => page.get(READS))).toEqual([1, 1]);
    process.kill(worker!.pid!, "SIGCONT");
  });

  test("the main process adds up, and what a worker has counted stays when the worker is gone", async () => {
    for (let count = 0; count < 20; count += 1) await read();
    await expectAll();
    const before = await most();
    expect(before).toBeGreaterThan(0);
    // One dies after it was asked, the others end in order, without having been asked again.
    const [worker] = await service.logs("listening", WORKERS);
    process.kill(worker!.pid!, "SIGKILL");
    await service.logs("listening", WORKERS + 1);
    await expectAll();
    await read();
    service.signal("SIGHUP");
    await service.logs("rolled all workers");
    await expectAll();
    await read();
    await expectAll();
    // Who looks at the pools sees those that there are, and none of workers that have ended.
    expect(await most()).toBe(before);
    await expectToEndInOrder(service);
  });
});

test("npm start serves them, too", async () => {
  const dataDir = await newDataDir();
  const settings = { METRICS: "127.0.0.1:0", DATABASE_URL: database.url };
  const service = startLocalService(dataDir, settings);
  await service.listening;
  const [[, address]] = (await service.prints(/Metrics +(http\S+)\/metrics/)) as [RegExpExecArray];
  expect((await scrape(address!)).get("tea_database_connections_max")).toBe(8);
  service.signal("SIGINT");
  expect((await service.ended).code).toBe(0);
  await rm(dataDir, { recursive: true });
});
