import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { abandonmentOf } from "../../src/http/request/abandonment";
import { startServer, type RunningServer } from "../../src/process/server";
import { openSocket } from "../support/raw-http";

const arrivals = new EventEmitter();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer((...exchange) => void arrivals.emit("request", ...exchange), {
    port: 0,
    host: "127.0.0.1",
  });
});
afterAll(() => server.drain());

/** Requests of one connection that the service has not answered yet, each with its signal. */
async function arrive(count: number) {
  const socket = openSocket(server.address);
  const exchanges: { response: ServerResponse; signal: AbortSignal }[] = [];
  for (let at = 0; at < count; at += 1) {
    const arrived = once(arrivals, "request");
    socket.write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
    const [request, response] = (await arrived) as [IncomingMessage, ServerResponse];
    exchanges.push({ response, signal: abandonmentOf(request, response) });
  }
  return { socket, exchanges };
}

test("all that a client waits for is abandoned when it ends its side, and it may still read", async () => {
  const { socket, exchanges } = await arrive(2);
  const gone = exchanges.map(({ signal }) => once(signal, "abort"));
  socket.end();
  await Promise.all(gone);
  const answered = once(socket, "data");
  exchanges[0]!.response.end("Tea.");
  expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});

test("an answer that was sent is not abandoned when its connection ends", async () => {
  const { socket, exchanges } = await arrive(1);
  const [{ response, signal }] = exchanges as [(typeof exchanges)[number]];
  const closed = once(response, "close");
  socket.resume();
  response.end("Tea.");
  await closed;
  const ended = once(response.req.socket, "close");
  socket.end();
  await ended;
  expect(signal.aborted).toBe(false);
});
