import { createDatabase, type TestDatabase } from "../support/database";
import { eventually } from "../support/eventually";
import { exchange } from "../support/raw-http";
import { startService } from "../support/service";
import { seriesIn } from "./series";

const MANY = 10_000;
/** Requests of each kind that are sent at once over a connection. */
const AT_A_TIME = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

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

test("10,000 paths and 10,000 operation names add no series", async () => {
  const service = await startService(database.url, { METRICS: "127.0.0.1:0" });
  const [serving] = await service.logs("serving metrics");
  const series = async () => {
    const metrics = await fetch(`${serving!.address}/metrics`);
    return [...seriesIn(await metrics.text())].filter(([name]) => name.startsWith("tea_"));
  };
  const names = async () => (await series()).map(([name]) => name).toSorted();
  const exchangeFrom = (first: number) => {
    const requests = Array.from({ length: AT_A_TIME }, (_, index) => ofNumber(first + index));
    return exchange(service.url, `${requests.join("")}GET / HTTP/1.0\r\n\r\n`);
  };
  await exchangeFrom(0);
  // The shares of sequences are shown from the second scrape on.
  await eventually(async () => (await names()).some((name) => name.includes("orders_id_seq")));
  const before = await names();

  for (let sent = AT_A_TIME; sent < MANY; sent += AT_A_TIME) await exchangeFrom(sent);

  await eventually(async () => {
    const requests = (await series()).filter(([name]) => name.startsWith("tea_requests_total{"));
    return requests.reduce((sum, [, count]) => sum + count, 0) >= 2 * MANY;
  });
  expect(await names()).toEqual(before);
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
}, 120_000);
