import { startOwnServer, type OwnServer } from "../reliability/own-server";
import { newOrder, place } from "../reliability/orders";
import { createFactories } from "../support/factories";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { isRequestLine, parsedLog, type LogLine } from "../support/log-lines";
import { send, sendJson } from "../support/raw-http";
import { startService, type Service } from "../support/service";

jest.setTimeout(60_000);

let server: OwnServer;
let productId: number;
let service: Service;
beforeAll(async () => {
  server = await startOwnServer();
  const make = createFactories((statement, values) => query(server.url, statement, values));
  productId = (await make.product()).id;
});
afterAll(() => server.remove());
beforeEach(async () => {
  service = await startService(server.url);
});
afterEach(async () => {
  service.signal("SIGTERM");
  await service.ended;
});

const get = (path: string) => send(service.url, { method: "GET", path });

/** Requests of every kind at once, most of which need the database. */
const many = async (): Promise<number[]> => {
  const { status: live } = await get("/health/live");
  expect(live).toBe(200);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => [
      get("/products"),
      get(`/products/${productId}`),
      get("/health/ready"),
      place(service.url, newOrder(productId)),
      sendJson(service.url, "POST", "/graphql", '{"query":"{ products { data { id } } }"}'),
    ]).flat(),
  );
  return answers.map(({ status }) => status);
};

/** What the service logged of itself since it listens. */
function linesOfItself(): LogLine[] {
  const lines = parsedLog(service.printed().trim().split("\n"));
  const begin = lines.findIndex(({ msg }) => msg === "listening") + 1;
  return lines.slice(begin).filter((line) => !isRequestLine(line));
}

const AWAY_AND_BACK = [
  expect.objectContaining({
    level: "warn",
    msg: "the database is away",
    reason: expect.any(String),
    err: expect.objectContaining({ message: expect.any(String) }),
  }),
  expect.objectContaining({
    level: "info",
    msg: "the database is back",
    milliseconds: expect.any(Number),
  }),
];

/** Waits until the service has logged a message so often. */
const logged = (message: string, times: number): Promise<unknown> =>
  eventually(() => linesOfItself().filter(({ msg }) => msg === message).length === times);

test("each time that the database is away is two lines, however many requests fail", async () => {
  await many();
  const orders = Array.from({ length: 8 }, () => place(service.url, newOrder(productId)));
  await Promise.race(orders);
  await server.crash();
  await Promise.all(orders);
  for (let turn = 0; turn < 3; turn += 1) expect(await many()).toContain(503);
  await logged("the database is away", 1);
  await server.restart();
  await logged("the database is back", 1);
  await eventually(async () => (await many()).every((status) => status < 300));

  await server.freeze();
  expect(await many()).toContain(503);
  await logged("the database is away", 2);
  await server.thaw();
  await logged("the database is back", 2);
  await eventually(async () => (await get("/health/ready")).status === 200);

  expect(linesOfItself()).toEqual([...AWAY_AND_BACK, ...AWAY_AND_BACK]);
});

test("a session that is ended while the database is there is an error of its request", async () => {
  await query(
    server.url,
    `CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new; END $$;
     CREATE TRIGGER leave BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION leave()`,
  );
  const { status, headers } = await place(service.url, newOrder(productId));
  await query(server.url, "DROP FUNCTION leave CASCADE");
  expect(status).toBe(503);
  await service.logs("the database did not answer");

  expect(linesOfItself()).toEqual([
    expect.objectContaining({
      level: "error",
      id: headers["x-request-id"],
      operation: "placeOrder",
      err: expect.objectContaining({ code: "57P01", statement: expect.any(String) }),
    }),
  ]);
});
