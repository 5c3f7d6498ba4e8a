import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { abandonmentOf } from "../../src/http/request/abandonment";
import { startServer, type RunningServer } from "../../src/process/server";
import { eventually } from "../support/eventually";
import { openSocket } from "../support/raw-http";

// A timer that goes on keeps a request, its connection and its answer in memory, for each client that goes
// away: the service would grow until it is killed.

const arrivals = new EventEmitter();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer((...exchange) => void arrivals.emit("request", ...exchange), {
    port: 0,
    host: "127.0.0.1",
  });
});
afterAll(() => server.drain());

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
});
afterEach(() => {
  jest.useRealTimers();
});

interface Exchange {
  readonly socket: Socket;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  /** Resolves when the service knows that the client has ended its side. */
  readonly ended: Promise<unknown>;
}

/** A request that the service has not answered yet. */
async function arrive(
  socket = openSocket(server.address),
  protocol = "HTTP/1.1",
): Promise<Exchange> {
  const arrived = once(arrivals, "request");
  socket.write(`GET / ${protocol}\r\nHost: shop\r\n\r\n`);
  const [request, response] = (await arrived) as [IncomingMessage, ServerResponse];
  const ended = once(request.socket, "end");
  return { socket, response, signal: abandonmentOf(request, response), ended };
}

test("a client that has ended its side is asked until it is gone, and then no longer", async () => {
  const { socket, response, signal, ended } = await arrive();
  socket.end();
  await ended;
  const asked = once(socket, "data");
  jest.advanceTimersByTime(100);
  expect(String((await asked)[0])).toBe("HTTP/1.1 102 Processing\r\n\r\n");

  socket.destroy();
  await eventually(() => {
    jest.advanceTimersByTime(100);
    return response.closed;
  });
  expect(signal.aborted).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});

test.each([
  ["before its answer", true],
  ["after its answer", false],
])("a client that has ended its side %s is not asked when it has it", async (_label, before) => {
  const { socket, response, signal, ended } = await arrive();
  const closed = [once(socket.resume(), "close"), once(response, "close")];
  if (before) {
    socket.end();
    await ended;
  }
  response.end();
  await closed[1];
  if (!before) socket.end();
  await Promise.all([ended, ...closed]);
  expect(signal.aborted).toBe(false);
  expect(jest.getTimerCount()).toBe(0);
});

test.each([
  ["a client of HTTP/1.0, which knows no interim answers,", "HTTP/1.0", false],
  ["a client whose answer has begun", "HTTP/1.1", true],
])("%s gets its answer and nothing else when it has ended its side", async (_label, ...given) => {
  const [protocol, begun] = given;
  const { socket, response, ended } = await arrive(undefined, protocol);
  const received = text(socket);
  response.setHeader("Content-Length", 4);
  if (begun) response.write("Te");
  socket.end();
  await ended;
  jest.advanceTimersByTime(500);
  response.end(begun ? "a." : "Tea.");
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nTea\.$/);
  expect(await received).not.toContain("102");
});

test("a client that is gone before its second answer's turn is no longer asked for it", async () => {
  const first = await arrive();
  const second = await arrive(first.socket);
  const closed: ServerResponse[] = [];
  for (const { response } of [first, second]) response.on("close", () => closed.push(response));
  first.socket.end();
  await first.ended;
  first.socket.resume().destroy();
  await eventually(() => {
    jest.advanceTimersByTime(100);
    return first.response.closed;
  });
  expect([first, second].map(({ signal }) => signal.aborted)).toEqual([true, true]);
  // Nothing of either is counted twice.
  expect(new Set(closed).size).toBe(2);
  expect(closed).toHaveLength(2);
  expect(jest.getTimerCount()).toBe(0);
});
