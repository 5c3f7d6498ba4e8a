import { EventEmitter, once } from "node:events";
import { randomUUID } from "node:crypto";
import { Backlog } from "../../examples/receiver/backlog";
import type { ShopEvent } from "../../examples/receiver/events";
import { RecentIds } from "../../examples/receiver/inbox";
import { inOrder, RecentVersions, type Gap } from "../../examples/receiver/in-order";
import { gate, order, start } from "./receivers";
import { bodyOf } from "./signed";

const DAY = 24 * 60 * 60 * 1000;

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
