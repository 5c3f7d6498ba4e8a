import { connect, type Socket } from "node:net";
import { Client } from "pg";
import { startServer, type RunningServer } from "../../src/process/server";
import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";

jest.setTimeout(60_000);

let app: TestApp;
let server: RunningServer;
let holder: Client;
beforeAll(async () => {
  app = await startApp({ database: { poolSize: 1 } });
  await app.make.category();
  server = await startServer(app.shop.handler, { port: 0, host: "127.0.0.1" });
});
beforeEach(async () => {
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterEach(() => holder.end());
afterAll(async () => {
  await server.drain();
  await app.close();
});

/** Keeps everybody from reading orders and products. */
const hold = () => holder.query("BEGIN; LOCK orders, products IN ACCESS EXCLUSIVE MODE");
const letGo = () => holder.query("COMMIT");

function call(method: string, path: string, body = ""): Socket {
  const { hostname, port } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${app.asAdmin}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

const graphql = (query: string) => () => call("POST", "/graphql", JSON.stringify({ query }));
const lists: [label: string, ask: () => Socket][] = [
  ["GET /orders", () => call("GET", "/orders")],
  ["GraphQL orders", graphql("{ orders { data { id } meta { total } } }")],
  ["GraphQL ordersConnection", graphql("{ ordersConnection { totalCount } }")],
  ["GraphQL products", graphql("{ products { data { id } meta { total } } }")],
  [
    "GraphQL products of categories",
    graphql("{ categories { products { data { id } meta { total } } } }"),
  ],
];

/** The session that serves the pool's one connection. */
const session = async () => {
  const [row] = await app.sql(
    `SELECT pid FROM pg_stat_activity
     WHERE application_name = 'tea-shop' AND datname = current_database()`,
  );
  return row;
};

describe.each(lists)("%s", (_label, ask) => {
  test("ends in the database when its client is gone, and keeps the connection", async () => {
    await app.http.get("/orders").set("Authorization", app.asAdmin).expect(200);
    const before = await session();
    await hold();
    const socket = ask();
    await eventually(async () => (await waitingForLocks(app)) === 1);
    socket.destroy();
    await eventually(async () => (await waitingForLocks(app)) === 0);
    await letGo();
    await app.http.get("/orders").set("Authorization", app.asAdmin).expect(200);
    expect(await session()).toEqual(before);
  });
});
