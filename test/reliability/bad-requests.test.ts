import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { startServer, type ClientTimeouts, type RunningServer } from "../../src/process/server";
import { startApp, type TestApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { answersIn, exchange, openSocket } from "../support/raw-http";
import { eventually } from "../support/eventually";
import { errorBody } from "../support/refusals";

let app: TestApp;
let server: RunningServer;
let productId: number;
beforeAll(async () => {
  app = await startApp();
  productId = (await app.make.product()).id;
  server = await startServer(app.shop.handler, { port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await server.drain();
  await app.close();
});

const GARBAGE = "GARBAGE\r\n\r\n";
const HOST = "Host: shop\r\n";
const JSON_BODY = `${HOST}Content-Type: application/json\r\n`;

const get = (path: string, fields = ""): string => `GET ${path} HTTP/1.1\r\n${HOST}${fields}\r\n`;

function order(fields = ""): string {
  const body = JSON.stringify({
    customerEmail: "mina@example.com",
    items: [{ productId, quantity: 1 }],
  });
  return `POST /orders HTTP/1.1\r\n${JSON_BODY}${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
}

const ordersStored = async (): Promise<number> => {
  const [row] = await app.sql<{ count: number }>("SELECT count(*)::integer FROM orders");
  return row!.count;
};

const large = `X: ${"a".repeat(20_000)}\r\n`;
const chunked = `POST /orders HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n`;

clauseEach<[number, string, string?]>(
  "7.http",
  "what is no proper request is answered in the error shape",
  {
    "no Host": [400, "GET /products HTTP/1.1\r\n\r\n", "Host must name one host"],
    "two Hosts": [400, get("/products", "Host: other\r\n"), "Host must name one host"],
    "a Host that is none": [
      400,
      "GET / HTTP/1.1\r\nHost: a/b c\r\n\r\n",
      "Host must name one host",
    ],
    "an unknown expectation": [417, get("/products", "Expect: tea\r\n")],
    CONNECT: [404, "CONNECT shop:443 HTTP/1.1\r\nHost: shop\r\n\r\n", "Cannot CONNECT shop:443"],
    "an address that is none": [404, get("http://["), "Cannot GET /http://["],
    "another address that is none": [404, get("http://a:b:c/"), "Cannot GET /http://a:b:c/"],
    "an unknown version": [400, `GET / HTTP/3.0\r\n${HOST}\r\n`],
    "HTTP/2": [400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    TLS: [400, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    "an unknown method": [400, `BREW / HTTP/1.1\r\n${HOST}\r\n`],
    "a field without a colon": [400, get("/", "garbage\r\n")],
    "too large a head": [431, get("/", large)],
    "too long a path": [431, get(`/${"a".repeat(20_000)}`)],
    "a bad chunk": [400, `${chunked}\r\nzz\r\n`],
    "too large an extension of a chunk": [
      413,
      `${chunked}\r\n2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
    "too large a trailer": [431, `${chunked}\r\n2\r\n{}\r\n0\r\n${large}\r\n`],
    "two lengths": [400, `${chunked}Content-Length: 3\r\n\r\n0\r\n\r\n`],
    "two other lengths": [400, get("/", "Content-Length: 3\r\nContent-Length: 4\r\n") + "abc"],
    "a length below 0": [400, get("/", "Content-Length: -1\r\n")],
    "an unknown coding": [400, get("/", "Transfer-Encoding: tea\r\n")],
  },
  async ([status, bytes, message]) => {
    // What is answered by the application leaves the connection open for the garbage.
    const [first, second, ...others] = answersIn(await exchange(server.address, bytes + GARBAGE));
    expect(first).toMatchObject({
      status,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
        date: expect.stringMatching(/GMT$/),
      },
      body: errorBody(status, message),
    });
    if (first!.headers.connection === "close") expect(second).toBeUndefined();
    else expect(second).toMatchObject({ status: 400, headers: { connection: "close" } });
    expect(others).toEqual([]);
  },
);

test("an upgrade that nobody offers is an ordinary request", async () => {
  const fields = "Connection: upgrade\r\nUpgrade: websocket\r\n";
  // Node loses what follows in the same packet: the connection's end tells the client.
  const [first, ...others] = answersIn(
    await exchange(server.address, get("/health/live", fields) + order()),
  );
  expect(first).toMatchObject({
    status: 200,
    headers: { connection: "close" },
    body: { status: "ok" },
  });
  expect(others).toEqual([]);
});

test("the one known expectation is met in any letter case", async () => {
  const request = get("/health/live", "Expect: 100-Continue\r\nConnection: close\r\n");
  const answers = answersIn(await exchange(server.address, request));
  expect(answers.map(({ status }) => status)).toEqual([100, 200]);
});

test("HTTP/1.0, which has no Host, is answered", async () => {
  const [answer] = answersIn(await exchange(server.address, "GET /health/live HTTP/1.0\r\n\r\n"));
  expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
});

/** A server that leaves its requests to the test. */
async function startBare(timeouts?: ClientTimeouts) {
  const arrivals = new EventEmitter();
  const bare = await startServer(
    (...exchange) => void arrivals.emit("request", ...exchange),
    { port: 0, host: "127.0.0.1" },
    timeouts,
  );
  const sockets: Socket[] = [];
  /** Sends these bytes on a connection of their own; resolves when the first request has come. */
  const open = async (bytes: string) => {
    const arrived = once(arrivals, "request");
    const socket = openSocket(bare.address);
    sockets.push(socket);
    socket.write(bytes);
    const [request, response] = (await arrived) as [IncomingMessage, ServerResponse];
    return { socket, request, response };
  };
  /** A socket that nobody reads does not end by itself. */
  const drain = async (): Promise<void> => {
    await bare.drain();
    for (const socket of sockets) socket.destroy();
  };
  return { ...bare, open, drain };
}

test.each([
  ["http://shop/products?page=2", "/products?page=2"],
  ["HTTP://shop:80/products?next=http://shop/", "/products?next=http://shop/"],
  ["http://shop", "/"],
  ["http://shop?page=2/3", "/?page=2/3"],
  ["*", "*"],
  ["*products", "/*products"],
])("a request for %s is one for %s, as a proxy's client may write it", async (target, path) => {
  const bare = await startBare();
  const { request, response } = await bare.open(get(target, "Connection: close\r\n"));
  expect(request.url).toBe(path);
  response.end();
  await bare.drain();
});

test("a client that breaks its connection off after CONNECT takes nobody with it", async () => {
  const bare = await startBare();
  const connecting = await bare.open(`${get("/first")}CONNECT shop:443 HTTP/1.1\r\n${HOST}\r\n`);
  const { socket } = connecting.request;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  connecting.socket.resetAndDestroy();
  // It is not read while an answer is due, so that only writing tells that the client is gone.
  await eventually(() => {
    if (!connecting.response.writableEnded) connecting.response.write("tea");
    return socket.destroyed;
  });
  await closed;
  const other = await bare.open(get("/", "Connection: close\r\n"));
  const received = text(other.socket);
  other.response.end();
  expect(await received).toMatch(/^HTTP\/1.1 200 /);
  await bare.drain();
});

test("a client that goes on after its refusal can read it for a second", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  try {
    const bare = await startBare();
    const { socket, request, response } = await bare.open(get("/"));
    const { socket: accepted } = request;
    // A client that ends its side would be closed at once.
    socket.allowHalfOpen = true;
    let received = "";
    socket.on("data", (chunk) => (received += String(chunk)));
    const ended = once(socket, "end");
    response.end();
    socket.write(GARBAGE);
    await ended;
    expect(answersIn(received).map(({ status }) => status)).toEqual([200, 400]);
    const { bytesRead } = accepted;
    socket.write(GARBAGE);
    await eventually(() => accepted.bytesRead > bytesRead);
    jest.advanceTimersByTime(999);
    expect(accepted.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(accepted.destroyed).toBe(true);
    await once(accepted, "close");
    socket.destroy();
    expect(jest.getTimerCount()).toBe(0);
    await bare.drain();
  } finally {
    jest.useRealTimers();
  }
});

test("garbage that waits for an earlier answer is refused as such, not for its slowness", async () => {
  const bare = await startBare({ request: 100, answer: 60_000, idle: 150 });
  const { socket, response } = await bare.open(`${get("/")}${chunked}\r\nzz\r\n`);
  const received = text(socket);
  // The second one comes too slowly as well, and later.
  expect(await exchange(bare.address, "GET / HTTP/1.1\r\n")).toMatch(/^HTTP\/1.1 408 /);
  response.end();
  expect(answersIn(await received).map(({ status }) => status)).toEqual([200, 400]);
  await bare.drain();
});

describe("what follows a request takes no answer's place", () => {
  test.each([
    ["garbage", () => GARBAGE, 400],
    ["too large a head", () => get("/", large), 431],
    ["a bad chunk", () => `${chunked}\r\nzz\r\n`, 400],
    ["CONNECT", () => "CONNECT shop:443 HTTP/1.1\r\nHost: shop\r\n\r\n", 404],
  ])("%s after several requests: all are answered first, in order", async (_, last, status) => {
    const before = await ordersStored();
    const bytes = [get("/categories"), order(), get("/nope"), order(), get("/health/live"), last()];
    const answers = answersIn(await exchange(server.address, bytes.join("")));
    expect(answers.map((each) => each.status)).toEqual([200, 201, 404, 201, 200, status]);
    expect(await ordersStored()).toBe(before + 2);
  });

  test("a request that asks for the connection's end is the last one", async () => {
    const before = await ordersStored();
    for (const next of [GARBAGE, order()]) {
      const answers = answersIn(
        await exchange(server.address, order("Connection: close\r\n") + next),
      );
      expect(answers.map(({ status }) => status)).toEqual([201]);
    }
    expect(await ordersStored()).toBe(before + 2);
  });

  test("a body that breaks after its request was refused gets no second answer", async () => {
    const socket = openSocket(server.address);
    const received = text(socket);
    socket.write(`POST /categories HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n`);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(answersIn(first.toString())[0]).toMatchObject({ status: 401 });
    socket.write("zz\r\n");
    expect(answersIn(await received)).toHaveLength(1);
  });
});
