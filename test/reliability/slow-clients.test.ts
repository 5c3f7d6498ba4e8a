import { once } from "node:events";
import { type RequestListener, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { exchange, openSocket } from "../support/raw-http";
import { eventually } from "../support/eventually";
import { startServer, type RunningServer } from "../../src/process/server";

jest.setTimeout(60_000);

const TIMEOUTS = { request: 150, answer: 400, idle: 150 };
const HEAD = "Host: example.com\r\nContent-Type: application/json\r\n";
const REQUEST = `GET / HTTP/1.1\r\n${HEAD}\r\n`;

/** More than the system's buffers hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: RunningServer;
let firstClosed: Promise<void>;
let late: ServerResponse | undefined;
beforeEach(async () => {
  late = undefined;
  let tell: () => void = () => undefined;
  firstClosed = new Promise((resolve) => (tell = resolve));
  const handler: RequestListener = (request, response) => {
    response.once("close", tell);
    if (request.url === "/large") response.end(LARGE);
    else if (request.url === "/late") late = response;
    else request.resume().once("end", () => response.end("quick"));
  };
  server = await startServer(handler, { port: 0, host: "127.0.0.1" }, TIMEOUTS);
});
afterEach(() => {
  jest.useRealTimers();
  return server.drain();
});

/** Over a connection of its own. */
const readQuick = async () =>
  (await fetch(server.address, { headers: { connection: "close" } })).text();

describe("clients that are too slow are closed, and others served", () => {
  test.each([
    ["no byte at all", "", 408],
    ["half a head", `GET / HTTP/1.1\r\n${HEAD}`, 408],
    ["half a body", `POST / HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`, 408],
    ["nothing after an answer", REQUEST, 200],
  ])("%s", async (_name, bytes, status) => {
    const socket = openSocket(server.address);
    socket.write(bytes);
    const received = text(socket);
    expect(await readQuick()).toBe("quick");
    expect(await received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("an answer that is not read", async () => {
    const socket = openSocket(server.address);
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(`GET /large HTTP/1.1\r\n${HEAD}\r\n`);
    await firstClosed;
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => (bytes += chunk.length)).resume();
    await new Promise((resolve) => socket.once("close", resolve));
    expect(bytes).toBeLessThan(LARGE.length);
    expect(await readQuick()).toBe("quick");
  });
});

describe("a connection between requests", () => {
  test("is kept for its own time, whatever the time for a request, and is told a shorter one", async () => {
    await server.drain();
    server = await startServer(
      (_request, response) => response.end("quick"),
      { port: 0, host: "127.0.0.1" },
      { ...TIMEOUTS, idle: 10_000 },
    );
    const socket = openSocket(server.address);
    socket.write(REQUEST);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toContain("\r\nKeep-Alive: timeout=8\r\n");
    // One that is as old and has sent nothing has lost its connection by now.
    expect(await exchange(server.address, "")).toMatch(/^HTTP\/1.1 408 /);
    socket.write(REQUEST);
    expect(String(((await once(socket, "data")) as [Buffer])[0])).toMatch(/^HTTP\/1.1 200 /);
    // The next request has no more time than the first one.
    socket.write(`GET / HTTP/1.1\r\n${HEAD}`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  test("is closed when its time is over, and not some seconds later", async () => {
    const closed: string[] = [];
    const idle = openSocket(server.address);
    idle.once("close", () => closed.push("idle")).resume();
    const unread = openSocket(server.address);
    unread.on("error", () => undefined).pause();
    idle.write(REQUEST);
    unread.write(`GET /late HTTP/1.1\r\n${HEAD}\r\n`);
    const answered = await eventually(() => late);
    answered.write(LARGE);
    // 150 ms without a request are over before 400 ms with an answer that is not read.
    await new Promise((resolve) => answered.once("close", resolve));
    expect(closed).toEqual(["idle"]);
    unread.destroy();
  });
});

test("who has read more than 10 MB of an answer has more time for the rest", async () => {
  const pieces = Array<Buffer>(600).fill(Buffer.alloc(64 * 1024));
  const closed: ServerResponse[] = [];
  await server.drain();
  server = await startServer(
    (_request, response) => {
      response.once("close", () => closed.push(response));
      Readable.from(pieces).pipe(response);
    },
    { port: 0, host: "127.0.0.1" },
    { ...TIMEOUTS, answer: 1_000 },
  );
  /** A client that stops after so many bytes. What is returned reads on, and tells whether all bytes came. */
  const readerOf = async (bytes: number): Promise<() => Promise<boolean>> => {
    const socket = openSocket(server.address);
    socket.on("error", () => undefined);
    let [received, end] = [0, ""];
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      end = chunk.toString("latin1").slice(-5);
      if (received > bytes) socket.pause();
    });
    socket.write(`GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
    await once(socket, "pause");
    return async () => {
      bytes = Infinity;
      const over = new Promise((resolve) => socket.once("close", resolve));
      socket.resume();
      await over;
      return end === "0\r\n\r\n";
    };
  };
  const much = await readerOf(20_000_000);
  const little = await readerOf(1_000_000);
  // The time for any answer is over for both then.
  await eventually(() => closed.length > 0);
  expect([await much(), await little()]).toEqual([true, false]);
});

test("who goes on reading has the time for each MB once, and is cut off after that", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  await server.drain();
  const answers: ServerResponse[] = [];
  server = await startServer(
    (_request, response) => {
      answers.push(response);
      Readable.from(Array<Buffer>(600).fill(Buffer.alloc(64 * 1024))).pipe(response);
    },
    { port: 0, host: "127.0.0.1" },
    { ...TIMEOUTS, answer: 1_000 },
  );
  const socket = openSocket(server.address);
  socket.on("error", () => undefined);
  let wanted = 0;
  socket.on("data", (chunk: Buffer) => {
    wanted -= chunk.length;
    if (wanted <= 0) socket.pause();
  });
  const read = async (bytes: number): Promise<void> => {
    wanted += bytes;
    const paused = once(socket, "pause");
    socket.resume();
    await paused;
  };
  socket.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`);
  await read(15_000_000);
  const connection = answers[0]?.socket;
  jest.advanceTimersByTime(1_000);
  expect(connection?.destroyed).toBe(false);
  await read(5_000_000);
  jest.advanceTimersByTime(60_000);
  expect(connection?.destroyed).toBe(true);
  socket.destroy();
});

test.each(["", "begun, "])("a client that waits for more than '%s' is not slow", async (begun) => {
  const socket = openSocket(server.address);
  socket.write(`GET /late HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
  const received = text(socket);
  const answered = await eventually(() => late);
  if (begun !== "") answered.write(begun);
  // One that comes later is closed for its slowness before the answer ends.
  const slow = openSocket(server.address);
  slow.on("error", () => undefined);
  slow.write(`GET /large HTTP/1.1\r\n${HEAD}\r\n`);
  await firstClosed;
  answered.end("late");
  expect(await received).toMatch(/^HTTP\/1.1 200 [^]*late/);
  slow.destroy();
});
