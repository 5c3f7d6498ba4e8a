import { EventEmitter, once } from "node:events";
import { randomUUID } from "node:crypto";
import express from "express";
import type { ShopEvent } from "../../examples/receiver/events";
import { RecentIds, type Inbox } from "../../examples/receiver/inbox";
import { plainReceiver } from "../../examples/receiver/plain";
import { receiver } from "../../examples/receiver/receiver";
import { gate, order, secret, start } from "./receivers";
import { bodyOf, newSecret, signatureOf, signed, type Sent } from "./signed";

jest.setTimeout(60_000);

describe.each([
  ["Express", receiver],
  ["Node alone", plainReceiver],
] as const)("a receiver of %s", (_name, make) => {
  const collect = async () => {
    const events: ShopEvent[] = [];
    return { events, ...(await start((event) => void events.push(event), make)) };
  };

  test("takes an event that the shop has signed", async () => {
    const { events, send } = await collect();
    const [id, body] = [
      randomUUID(),
      bodyOf("order.placed", { id: 7, productName: "Grüner Tee 🍵" }),
    ];
    expect(await send({ id, body })).toBe(204);
    expect(events).toEqual([{ id, ...JSON.parse(body) }]);
  });

  test.each<[what: string, sent: Partial<Sent>]>([
    ["signed by another secret", { secret: newSecret() }],
    ["without a signature that fits", { signature: "v1,AAAA" }],
    ["with an empty signature", { signature: "v1," }],
    ["with a signature of another kind", { signature: "v1a,AAAA" }],
    ["that is older than 5 minutes", { later: -310 }],
    ["that is of the future", { later: 310 }],
  ])("refuses an event %s", async (_what, sent) => {
    const { events, send, errors } = await collect();
    expect(await send({ body: order(1), ...sent })).toBe(401);
    expect([events, errors]).toEqual([[], []]);
  });

  test.each([-290, 290])("takes an event whose time differs by %d seconds", async (later) => {
    const { events, send } = await collect();
    expect(await send({ body: order(1), later })).toBe(204);
    expect(events).toHaveLength(1);
  });

  type Request = ReturnType<typeof signed>;
  const withHeader = (request: Request, name: string, value: string) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
  const withoutHeader = (request: Request, name: string) => ({
    ...request,
    headers: Object.entries(request.headers).filter(([each]) => each !== name),
  });
  const text = String.raw`{"type": "test.ping", "data": {"text":"\u00fc", "n":1.0}}`;

  test.each<[what: string, change: (request: Request) => RequestInit]>([
    ["another body", (request) => ({ ...request, body: request.body.replace("ping", "pong") })],
    ["a longer body", (request) => ({ ...request, body: `${request.body}\n` })],
    [
      "a body that a parser has read and written again",
      (request) => ({ ...request, body: JSON.stringify(JSON.parse(request.body)) }),
    ],
    ["no body", ({ method, headers }) => ({ method, headers })],
    ["another id", (request) => withHeader(request, "webhook-id", randomUUID())],
    [
      "another time",
      (request) =>
        withHeader(
          request,
          "webhook-timestamp",
          String(Number(request.headers["webhook-timestamp"]) + 1),
        ),
    ],
    ["no id", (request) => withoutHeader(request, "webhook-id")],
    ["no time", (request) => withoutHeader(request, "webhook-timestamp")],
    ["no signature", (request) => withoutHeader(request, "webhook-signature")],
  ])("refuses an event that was signed, with %s", async (_what, change) => {
    const { events, post } = await collect();
    const request = signed({ secret, body: text });
    expect(await post(change(request))).toBe(401);
    expect(events).toEqual([]);
    expect(await post(request)).toBe(204);
    expect(events).toMatchObject([{ data: { text: "ü", n: 1 } }]);
  });

  test("takes an event that is signed by the old secret and by the new one", async () => {
    const { events, post } = await collect();
    const request = signed({ secret, body: order(1) });
    const { "webhook-id": id, "webhook-timestamp": timestamp } = request.headers;
    const other = signatureOf(newSecret(), `${id}.${timestamp}.${request.body}`);
    const right = request.headers["webhook-signature"];
    const both = (signature: string) => ({
      ...request,
      headers: { ...request.headers, "webhook-signature": signature },
    });
    expect(await post(both(`${other} ${other}`))).toBe(401);
    expect(await post(both(`${other} ${right}`))).toBe(204);
    expect(events).toHaveLength(1);
    expect(await post(both(`${right} ${other}`))).toBe(204);
  });

  test("refuses a request that is too long, and other methods", async () => {
    const { events, post, send } = await collect();
    expect(await send({ body: order(1, { text: "x".repeat(1_000_000) }) })).toBe(413);
    expect(await send({ body: order(1, { text: "x".repeat(900_000) }) })).toBe(204);
    expect(await post({ method: "GET" })).toBeGreaterThanOrEqual(404);
    expect(events).toHaveLength(1);
  });

  test("runs the effect once for an event that comes twice", async () => {
    const { events, send } = await collect();
    const sent = { id: randomUUID(), body: order(1) };
    expect([await send(sent), await send({ ...sent, later: 20 })]).toEqual([204, 204]);
    expect(events).toHaveLength(1);
    expect(await send({ body: order(1) })).toBe(204);
    expect(events).toHaveLength(2);
  });

  test("asks for another try by 500 where the effect fails, whatever its error", async () => {
    const failures = [
      new Error("No room"),
      Object.assign(new Error("Gone"), { status: 410 }),
      Object.assign(new Error("Fine"), { status: 200 }),
    ];
    const done: string[] = [];
    const { send, errors } = await start(({ id }) => {
      const failure = failures[errors.length];
      if (failure) throw failure;
      done.push(id);
    }, make);
    const sent = { id: randomUUID(), body: order(1) };
    for (const _ of failures) expect(await send(sent)).toBe(500);
    expect([errors, done]).toEqual([failures, []]);
    expect([await send(sent), await send(sent)]).toEqual([204, 204]);
    expect(done).toEqual([sent.id]);
  });

  test.each([
    ["succeeds", 204, 204, 1],
    ["fails", 500, 204, 2],
  ])("the second waits for the first, which %s", async (_what, first, second, runs) => {
    const [begun, end] = [gate(), gate()];
    const run = jest.fn<Promise<void>, [ShopEvent]>().mockImplementationOnce(async () => {
      begun.open();
      await end.opened;
      if (first === 500) throw new Error("No room");
    });
    const ids = new RecentIds();
    const arrivals = new EventEmitter();
    const inbox: Inbox = {
      once(id, effect) {
        const handled = ids.once(id, effect);
        arrivals.emit(id);
        return handled;
      },
    };
    const { send } = await start(run, (options) => make({ ...options, inbox }));
    const sent = { id: randomUUID(), body: order(1) };
    const one = send(sent);
    await begun.opened;
    const arrived = once(arrivals, sent.id);
    const two = send(sent);
    await arrived;
    // Another event doesn't wait for them.
    expect(await send({ body: order(2) })).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
    end.open();
    expect([await one, await two]).toEqual([first, second]);
    expect(run).toHaveBeenCalledTimes(runs + 1);
  });
});

test("an app that parses JSON before the receiver is told so", async () => {
  const { send, errors } = await start(
    () => undefined,
    (options) => express().use(express.json(), receiver(options)),
  );
  expect(await send({ body: order(1) })).toBe(500);
  expect(String(errors)).toContain("before express.json()");
});

test("a receiver can be put below a path, before a parser for all else", async () => {
  const events: ShopEvent[] = [];
  const { url, post } = await start(
    (event) => void events.push(event),
    (options) => {
      const app = express().use("/webhooks", receiver(options)).use(express.json());
      return app.post("/other", ({ body }, response) => void response.json(body));
    },
  );
  const request = signed({ secret, body: order(1) });
  expect((await fetch(`${url}/webhooks`, request)).status).toBe(204);
  expect(await (await fetch(`${url}/other`, request)).json()).toEqual(JSON.parse(request.body));
  expect([events.length, await post(request)]).toEqual([1, 404]);
});
