import { once } from "node:events";
import {
  Agent,
  get,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { openSocket } from "../support/raw-http";
import { eventually } from "../support/eventually";
import { startServer, type RunningServer } from "../../src/process/server";

const TIMEOUTS = { request: 150, answer: 400, idle: 150 };
const HEAD = "Host: example.com\r\nContent-Type: application/json\r\n";

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
afterEach(() => server.drain());

const readQuick = async (): Promise<string> => {
  const [response] = (await once(get(server.address, { agent: new Agent() }), "response")) as [
    IncomingMessage,
  ];
  return text(response);
};

describe("clients that are too slow are closed, and others served", () => {
  const requests = [
    { name: "no byte at all", bytes: "", status: 408 },
    { name: "half a head", bytes: `GET / HTTP/1.1\r\n${HEAD}`, status: 408 },
    {
      name: "half a body",
      bytes: `POST / HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`,
      status: 408,
    },
    { name: "nothing after an answer", bytes: `GET / HTTP/1.1\r\n${HEAD}\r\n`, status: 200 },
  ];
  test.each(requests)("$name", async ({ bytes, status }) => {
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

test("a client that waits for its answer is not slow", async () => {
  const socket = openSocket(server.address);
  socket.write(`GET /late HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
  const received = text(socket);
  await eventually(() => late);

  // One that comes later is closed for its slowness before the answer begins.
  const slow = openSocket(server.address);
  slow.on("error", () => undefined);
  slow.write(`GET /large HTTP/1.1\r\n${HEAD}\r\n`);
  await firstClosed;
  late!.end("late");

  expect(await received).toMatch(/^HTTP\/1.1 200 [^]*late/);
  slow.destroy();
});
