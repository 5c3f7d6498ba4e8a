import { EventEmitter, once } from "node:events";
import { randomUUID } from "node:crypto";
import express from "express";
import type { ReceiverOptions } from "../../examples/receiver/answer";
import { Backlog } from "../../examples/receiver/backlog";
import type { ShopEvent } from "../../examples/receiver/events";
import { RecentIds, type Inbox } from "../../examples/receiver/inbox";
import { inOrder, RecentVersions, type Gap } from "../../examples/receiver/in-order";
import { plainReceiver } from "../../examples/receiver/plain";
import { receiver } from "../../examples/receiver/receiver";
import { bodyOf, newSecret, serve, signatureOf, signed, type Sent } from "./signed";

jest.setTimeout(60_000);

const DAY = 24 * 60 * 60 * 1000;
const secret = newSecret();

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Made = ReturnType<typeof receiver> | ReturnType<typeof plainReceiver>;

/** Starts a receiver, and returns what sends it a request and answers with the status. */
async function start(
  handle: ReceiverOptions["handle"],
  make: (options: ReceiverOptions) => Made = receiver,
) {
  const errors: unknown[] = [];
  const app = make({ secret, handle, report: (error) => errors.push(error) });
  const { url, close } = await serve(app);
  closing.push(close);
  const post = async (init: RequestInit): Promise<number> => (await fetch(url, init)).status;
  const send = (sent: Partial<Sent>): Promise<number> => post(signed({ secret, ...sent }));
  return { url, errors, post, send };
}

/** A promise that is resolved by hand. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const order = (version: number, data: object = {}): string =>
  bodyOf("order.updated", { id: 7, version, changed: ["status"], ...data });

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
  ])(
    "lets the second of two at once wait for the first, which %s",
    async (_what, first, second, runs) => {
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
    },
  );
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

describe("the ids of events", () => {
  const setup = (most?: number) => {
    let now = 0;
    const inbox = new RecentIds({ now: () => now, ...(most === undefined ? {} : { most }) });
    const runs: string[] = [];
    const once = async (id: string, at: number): Promise<string[]> => {
      now = at;
      await inbox.once(id, () => Promise.resolve(void runs.push(id)));
      return runs;
    };
    return once;
  };

  test("are kept for longer than the three days of the shop's tries", async () => {
    const once = setup();
    await once("a", 0);
    await once("b", DAY);
    expect(await once("a", 3.5 * DAY)).toEqual(["a", "b"]);
    expect(await once("a", 4 * DAY)).toEqual(["a", "b", "a"]);
    expect(await once("b", 4.5 * DAY)).toEqual(["a", "b", "a"]);
  });

  test("are bounded, and the oldest goes first", async () => {
    const once = setup(2);
    for (const id of ["a", "b", "c"]) await once(id, 0);
    expect(await once("b", 0)).toEqual(["a", "b", "c"]);
    expect(await once("c", 0)).toEqual(["a", "b", "c"]);
    expect(await once("a", 0)).toEqual(["a", "b", "c", "a"]);
  });
});

describe("a copy of what the shop has", () => {
  const copy = async (versions = new RecentVersions()) => {
    const applied: (number | undefined)[] = [];
    const gaps: Gap[] = [];
    const failures: Error[] = [];
    const apply = ({ data }: ShopEvent) => {
      const failure = failures.shift();
      if (failure) throw failure;
      applied.push(data.version);
    };
    const handle = inOrder({ apply, missed: (gap) => void gaps.push(gap), versions });
    return { applied, gaps, failures, ...(await start(handle)) };
  };

  const versions = (...all: number[]) => all.map((version) => order(version));
  const [ping, erased] = [
    bodyOf("test.ping", { version: 0 }),
    bodyOf("customer.erased", { version: 1 }),
  ];

  test.each<[what: string, bodies: string[], taken: unknown[], missed?: object[]]>([
    [
      "takes versions in order, and ignores older ones that come again",
      versions(1, 2, 1, 2, 3, 2),
      [1, 2, 3],
    ],
    [
      "is told of a gap, once, and goes on from the event after it",
      versions(1, 5, 3, 6, 8),
      [1, 5, 6, 8],
      [
        { subject: "order 7", from: 2, to: 4 },
        { subject: "order 7", from: 7, to: 7 },
      ],
    ],
    ["may begin with any version of a subject, which is no gap", versions(5, 4, 6), [5, 6]],
    [
      "has a version for each subject, of which all types of events are",
      [
        ...[order(4), order(1, { id: 8 }), bodyOf("product.updated", { id: 7, version: 2 })],
        bodyOf("order.status_changed", { id: 7, version: 5 }),
        ...[bodyOf("order.deleted", { id: 7, version: 6 }), order(5)],
      ],
      [4, 1, 2, 5, 6],
    ],
    [
      "takes each event that has no subject or no version, also between versions",
      [ping, order(2), ping, order(0), order(3), erased, erased, bodyOf("other", {})],
      [0, 2, 0, 0, 3, 1, 1, undefined],
    ],
  ])("%s", async (...[, bodies, taken, missed = []]) => {
    const { applied, gaps, send } = await copy();
    for (const body of bodies) expect(await send({ body })).toBe(204);
    expect([applied, gaps]).toEqual([taken, missed]);
  });

  test("counts a version that could not be taken over as not seen", async () => {
    const { applied, gaps, failures, send } = await copy();
    await send({ body: order(1) });
    failures.push(new Error("No room"), new Error("No room"));
    const sent = { id: randomUUID(), body: order(2) };
    expect([await send(sent), await send(sent), await send(sent)]).toEqual([500, 500, 204]);
    await send({ body: order(3) });
    expect([applied, gaps]).toEqual([[1, 2, 3], []]);
  });

  test("takes the events of one subject in turns", async () => {
    const [begun, end] = [gate(), gate()];
    const done: (number | undefined)[] = [];
    const apply = async ({ data: { id, version } }: ShopEvent): Promise<void> => {
      if (version === 2) {
        begun.open();
        await end.opened;
      }
      done.push(id === 7 ? version : id);
    };
    const { send } = await start(inOrder({ apply, missed: () => undefined }));
    const two = send({ body: order(2) });
    await begun.opened;
    const others = [send({ body: order(1) }), send({ body: order(3) })];
    expect(await send({ body: order(1, { id: 8 }) })).toBe(204);
    expect(done).toEqual([8]);
    end.open();
    expect(await Promise.all([two, ...others])).toEqual([204, 204, 204]);
    expect(done).toEqual([8, 2, 3]);
  });

  test("remembers so many subjects, and forgets the one that has rested longest", async () => {
    const { applied, gaps, send } = await copy(new RecentVersions({ most: 2 }));
    for (const [id, version] of [
      [1, 2],
      [2, 2],
      [1, 3],
      [3, 2],
      [1, 1],
      [2, 1],
    ] as const) {
      await send({ body: order(version, { id }) });
    }
    expect([applied, gaps]).toEqual([[2, 2, 3, 2, 1], []]);
  });
});

describe("a backlog", () => {
  test("answers at once, and works afterwards in the order of the answers", async () => {
    const [begun, end] = [gate(), gate()];
    const done: unknown[] = [];
    const backlog = new Backlog(
      async ({ data }) => {
        begun.open();
        await end.opened;
        done.push(data.version);
      },
      { giveUp: fail },
    );
    const { send } = await start(backlog.add);
    for (const version of [1, 2]) expect(await send({ body: order(version) })).toBe(204);
    await begun.opened;
    expect(await send({ body: order(3) })).toBe(204);
    expect(done).toEqual([]);
    end.open();
    await backlog.idle();
    expect(done).toEqual([1, 2, 3]);
    await send({ body: order(4) });
    await backlog.idle();
    expect(done).toEqual([1, 2, 3, 4]);
  });

  test("tries a work that fails again, later each time, and gives it up at last", async () => {
    const delays: number[] = [];
    const given: unknown[] = [];
    const done: unknown[] = [];
    const wait = (delay: number) => Promise.resolve(delays.push(delay));
    const giveUp = (error: unknown, { data }: ShopEvent) => given.push([error, data.version]);
    const failure = new Error("No room");
    const backlog = new Backlog(
      ({ data }) => {
        if (data.version === 1 || (data.version === 2 && delays.length < 3)) throw failure;
        done.push(data.version);
      },
      { wait, giveUp, attempts: 3 },
    );
    const { send } = await start(backlog.add);
    for (const version of [1, 2, 3]) await send({ body: order(version) });
    await backlog.idle();
    expect(delays).toEqual([1000, 2000, 1000]);
    expect([given, done]).toEqual([[[failure, 1]], [2, 3]]);
  });

  test("that is full has the shop try again", async () => {
    const [end, done] = [gate(), new EventEmitter()];
    const work = async ({ data }: ShopEvent): Promise<void> => {
      await end.opened;
      done.emit("version", data.version);
    };
    const backlog = new Backlog(work, { giveUp: fail, most: 2 });
    const { send } = await start(backlog.add);
    const third = { id: randomUUID(), body: order(3) };
    expect([await send({ body: order(1) }), await send({ body: order(2) })]).toEqual([204, 204]);
    expect(await send(third)).toBe(500);
    end.open();
    await backlog.idle();
    const worked = once(done, "version");
    expect(await send(third)).toBe(204);
    expect(await worked).toEqual([3]);
  });
});

function fail(error: unknown): never {
  throw error;
}
