import {
  Agent,
  get,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { EventEmitter, once } from "node:events";
import { Server as NetServer } from "node:net";
import { text } from "node:stream/consumers";
import { assertListenable, startServer } from "../../src/process/server";
import { collectGarbage } from "../support/collect-garbage";
import { eventually } from "../support/eventually";
import { answersIn, openSocket } from "../support/raw-http";

jest.setTimeout(60_000);

describe("draining", () => {
  const start = (handler: RequestListener) => startServer(handler, { port: 0, host: "127.0.0.1" });
  const request = (url: string, agent: Agent): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(url, { agent }, (response) => {
        response.resume().once("end", () => resolve(response));
      }).once("error", reject);
    });

  test("answers what is under way and what still comes on live connections, then closes them", async () => {
    const arrivals = new EventEmitter();
    const { address, drain } = await start((incoming, response) => {
      if (incoming.url === "/slow") arrivals.emit("slow", response);
      else response.end("quick");
    });
    const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    await request(`${address}/`, agents[0]!);
    const arrived = once(arrivals, "slow");
    const slow = request(`${address}/slow`, agents[1]!);
    const [answer] = (await arrived) as [ServerResponse];
    const drained = drain();
    const late = await request(`${address}/`, agents[0]!);
    answer.end();
    expect(late.headers.connection).toBe("close");
    expect((await slow).headers.connection).toBe("close");
    await drained;
    await expect(request(`${address}/`, new Agent())).rejects.toThrow("ECONNREFUSED");
  });

  test.each([
    ["before it began", 3, 0],
    ["while it goes on", 1, 2],
    ["before it began and while it goes on", 2, 1],
  ])("answers all requests that were pipelined %s", async (_label, before, during) => {
    const responses: ServerResponse[] = [];
    const { address, drain } = await start((_request, response) => void responses.push(response));
    const socket = openSocket(address);
    const received = text(socket);
    const sendAll = async (count: number) => {
      const expected = responses.length + count;
      socket.write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n".repeat(count));
      await eventually(() => responses.length === expected);
    };
    await sendAll(before);
    const drained = drain();
    await sendAll(during);
    for (const response of responses) response.end();
    const answers = answersIn(await received);
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [200, "keep-alive"],
      [200, "keep-alive"],
      [200, "close"],
    ]);
    await drained;
  });

  test.each([
    ["during the drain, which no request may follow", true, ["/first"], ["close"]],
    ["before, after which a request may come", false, ["/first", "/last"], ["keep-alive", "close"]],
  ])("finishes an answer that began %s", async (_label, during, expected, connections) => {
    const served: string[] = [];
    const arrivals = new EventEmitter();
    const { address, drain } = await start((incoming, response) => {
      served.push(incoming.url!);
      if (incoming.url === "/first") arrivals.emit("first", incoming, response);
      else response.end();
    });
    const socket = openSocket(address);
    const received = text(socket);
    const arrived = once(arrivals, "first");
    socket.write("GET /first HTTP/1.1\r\nHost: shop\r\n\r\n");
    const [{ socket: accepted }, first] = (await arrived) as [IncomingMessage, ServerResponse];
    const begin = () => first.writeHead(200, { "content-length": 2 }).flushHeaders();
    if (!during) begin();
    const drained = drain();
    if (during) begin();
    const { bytesRead } = accepted;
    socket.write("GET /last HTTP/1.1\r\nHost: shop\r\n\r\n");
    await eventually(() => accepted.bytesRead > bytesRead);
    first.end("{}");
    const answers = answersIn(await received);
    expect(answers.map(({ headers }) => headers.connection)).toEqual(connections);
    expect(served).toEqual(expected);
    await drained;
  });

  describe("by the server's own timers", () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    test("does not wait for connections on which nothing comes", async () => {
      const { address, drain } = await start((_request, response) => response.end());
      const silent = openSocket(address);
      await once(silent, "connect");
      await request(address, new Agent());
      const drained = drain();
      jest.advanceTimersByTime(1_000);
      await drained;
      silent.destroy();
    });

    test("does not wait for a connection that is idle after an answer which began before", async () => {
      const arrivals = new EventEmitter();
      const { address, drain } = await start((_incoming, response) => {
        response.write("begun");
        arrivals.emit("request", response);
      });
      const arrived = once(arrivals, "request");
      const agent = new Agent({ keepAlive: true });
      const answered = request(address, agent);
      const [response] = (await arrived) as [ServerResponse];
      const drained = drain();
      jest.advanceTimersByTime(1_000);
      response.end();
      expect((await answered).headers.connection).toBe("keep-alive");
      jest.advanceTimersByTime(50);
      await drained;
      expect(jest.getTimerCount()).toBe(0);
      agent.destroy();
    });

    test("sends an answer to its end that the client is slow to read", async () => {
      const arrivals = new EventEmitter();
      const answer = Buffer.alloc(20_000_000, "x"); // more than the system takes at once
      const { address, drain } = await start((_incoming, response) => {
        response.setHeader("content-length", answer.length).end(answer);
        arrivals.emit("request");
      });
      const arrived = once(arrivals, "request");
      const agent = new Agent();
      const begun = once(get(address, { agent }), "response") as Promise<[IncomingMessage]>;
      await arrived;
      const drained = drain();
      jest.advanceTimersByTime(2_000);
      await new Promise((resolve) => setImmediate(resolve));
      const [incoming] = await begun;
      expect(await text(incoming)).toHaveLength(answer.length);
      jest.advanceTimersByTime(50);
      await drained;
    });

    test("answers what has arrived when it closes idle connections", async () => {
      const { address, drain } = await start((_incoming, response) => response.end("{}"));
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await request(address, agent);
      const [idle] = Object.values(agent.freeSockets)[0]!;
      const drained = drain();
      const received = once(idle!, "data") as Promise<[Buffer]>;
      // Timers run before Node reads what has arrived, as what follows here does.
      await new Promise((resolve) => setImmediate(resolve));
      idle!.write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
      jest.advanceTimersByTime(1_000);
      const [first] = answersIn(String((await received)[0]));
      expect([first!.status, first!.headers.connection]).toEqual([200, "close"]);
      await drained;
    });

    test("waits for an answer that does not come, and cuts it after 8 s", async () => {
      const arrivals = new EventEmitter();
      const { address, drain } = await start((incoming) => void arrivals.emit("request", incoming));
      const arrived = once(arrivals, "request");
      const unanswered = request(address, new Agent());
      const [incoming] = (await arrived) as [IncomingMessage];
      const cut = expect(unanswered).rejects.toThrow("socket hang up");
      const drained = drain();
      jest.advanceTimersByTime(7_999);
      expect(incoming.socket.destroyed).toBe(false);
      jest.advanceTimersByTime(1);
      expect(incoming.socket.destroyed).toBe(true);
      await cut;
      await drained;
    });
  });
});

test("a connection that is gone leaves nothing in memory", async () => {
  const sockets: WeakRef<object>[] = [];
  const { address, drain } = await startServer(
    (incoming, response) => {
      sockets.push(new WeakRef(incoming.socket));
      response.end();
    },
    { port: 0, host: "127.0.0.1" },
  );
  for (let count = 0; count < 20; count += 1) {
    await (await fetch(address, { headers: { connection: "close" } })).text();
  }
  await eventually(() => {
    collectGarbage();
    return sockets.filter((socket) => socket.deref()).length < 10; // Node keeps a few parsers for later
  });
  await drain();
});

describe("listening", () => {
  afterEach(() => jest.restoreAllMocks());

  test.each(["127.0.0.1", "0.0.0.0", undefined])("for clients: %s", async (host) => {
    const { address, drain } = await startServer((_request, response) => response.end(), {
      port: 0,
      host,
    });
    expect(new URL(address).hostname).toBe(host === "127.0.0.1" ? host : "localhost");
    expect((await fetch(address)).status).toBe(200);
    await drain();
  });

  // What a system refuses depends on its users, its interfaces and its names.
  test.each([
    ["EACCES", "needs privileges that this process lacks: choose a port from 1024 up"],
    ["EADDRNOTAVAIL", "is not an address of this machine"],
    ["ENOTFOUND", "is not an address of this machine"],
    ["EAI_AGAIN", "can't be listened on: no such luck"],
  ])("tells the operator of %s: %s", async (code, reason) => {
    jest.spyOn(NetServer.prototype, "listen").mockImplementation(function (this: NetServer) {
      setImmediate(() => this.emit("error", Object.assign(new Error("no such luck"), { code })));
      return this;
    });
    await expect(assertListenable({ port: 80, host: "tea" }, "PORT")).rejects.toThrow(
      `PORT tea:80 ${reason}`,
    );
  });
});
