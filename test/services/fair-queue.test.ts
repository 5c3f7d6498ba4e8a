import { setImmediate } from "node:timers/promises";
import { FairQueue } from "../../src/services/limits/fair-queue";

const nothing = () => Promise.resolve();

/** A queue, and tasks that run in it until the test ends them. */
function rehearse(concurrency: number, waiting: number) {
  const queue = new FairQueue({ concurrency, waiting });
  const started: string[] = [];
  const refused: string[] = [];
  const running = new Map<string, () => void>();

  /** Sends a task, such as `a1`, from the source that its first letter names. */
  const send = (task: string, whileWaiting = nothing): Promise<void> =>
    queue.run(
      task.charAt(0),
      () =>
        new Promise<void>((resolve) => {
          started.push(task);
          running.set(task, resolve);
        }),
      whileWaiting,
    );
  return {
    started,
    refused,
    running,
    /** Sends tasks in this order; notes the ones that are refused. */
    async arrive(...tasks: string[]): Promise<void> {
      for (const task of tasks) send(task).catch(() => refused.push(task));
      await setImmediate();
    },
    send,
    /** Ends a task that runs. */
    async end(task: string): Promise<void> {
      running.get(task)!();
      running.delete(task);
      await setImmediate();
    },
    /** Ends all tasks, one after another. */
    async endAll(): Promise<void> {
      for (let [task] = running.keys(); task !== undefined; [task] = running.keys()) {
        await this.end(task);
      }
    },
  };
}

test("a source holds at most a quarter of the places, and as many again when it has gone on", async () => {
  const rehearsal = rehearse(1, 20);
  await rehearsal.arrive("a1", "a2", "a3", "a4", "a5", "a6", "a7");
  expect(rehearsal.refused).toEqual(["a6", "a7"]);
  await rehearsal.end("a1");
  await rehearsal.arrive("a8", "a9");
  expect(rehearsal.refused).toEqual(["a6", "a7", "a9"]);
  await rehearsal.endAll();
  expect(rehearsal.started).toEqual(["a1", "a2", "a3", "a4", "a5", "a8"]);
});

test("sources take turns, each in the order of its tasks", async () => {
  const rehearsal = rehearse(1, 20);
  await rehearsal.arrive("a1", "a2", "a3", "a4", "b1", "b2", "c1");
  await rehearsal.end("a1");
  await rehearsal.arrive("d1");
  await rehearsal.endAll();
  expect(rehearsal.started).toEqual(["a1", "a2", "b1", "c1", "a3", "d1", "b2", "a4"]);
});

test("where all places are taken, the greatest holder gives up its newest", async () => {
  const rehearsal = rehearse(1, 7); // 8 places, 2 for a source
  await rehearsal.arrive("a1", "a2", "b1", "c1", "c2", "d1", "d2", "e1");
  expect(rehearsal.refused).toEqual([]);
  await rehearsal.arrive("f1");
  expect(rehearsal.refused).toEqual(["a2"]); // of a, c and d, which hold 2, the first
  await rehearsal.arrive("a3", "f2"); // who would only change places with the greatest is refused
  expect(rehearsal.refused).toEqual(["a2", "a3", "f2"]);
  await rehearsal.endAll();
  expect(rehearsal.started).toEqual(["a1", "b1", "c1", "d1", "e1", "f1", "c2", "d2"]);
});

test("a source with a single place does not lose it, however many come", async () => {
  const rehearsal = rehearse(1, 3);
  const latecomers = Array.from({ length: 20 }, (_, n) => String.fromCodePoint(101 + n)); // e, f, …
  await rehearsal.arrive("a1", "b1", "c1", "d1", ...latecomers);
  expect(rehearsal.refused).toEqual(latecomers);
  await rehearsal.endAll();
  expect(rehearsal.started).toEqual(["a1", "b1", "c1", "d1"]);
});

test("who has to wait may find meanwhile that there is no use, and leaves its place", async () => {
  const rehearsal = rehearse(1, 3);
  await rehearsal.arrive("a1");
  const fault = new Error("no use");
  const useless = rehearsal.send("b1", () => Promise.reject(fault));
  await expect(useless).rejects.toBe(fault);
  await rehearsal.arrive("c1", "d1", "e1", "f1");
  expect(rehearsal.refused).toEqual(["f1"]);
  await rehearsal.endAll();
  expect(rehearsal.started).toEqual(["a1", "c1", "d1", "e1"]);
});

test("whose turn comes while it finds out does not start if there is no use", async () => {
  const rehearsal = rehearse(1, 3);
  await rehearsal.arrive("a1");
  const fault = new Error("no use");
  let find!: () => void;
  const found = new Promise<void>((_, reject) => (find = () => reject(fault)));
  const useless = expect(rehearsal.send("b1", () => found)).rejects.toBe(fault);
  await rehearsal.arrive("c1");
  await rehearsal.end("a1");
  expect(rehearsal.started).toEqual(["a1"]);
  find();
  await useless;
  await setImmediate();
  expect(rehearsal.started).toEqual(["a1", "c1"]);
});

test("all who wait can be refused; the one that runs goes on, and others may come", async () => {
  const queue = new FairQueue({ concurrency: 1, waiting: 7 });
  let end!: () => void;
  const running = queue.run("a", () => new Promise<void>((resolve) => (end = resolve)), nothing);
  const waiting = ["a", "b", "b", "c"].map((source) => queue.run(source, nothing, nothing));
  queue.refuseWaiting();
  for (const each of await Promise.allSettled(waiting)) {
    expect(each).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
  }
  const latecomer = queue.run("b", () => Promise.resolve("served"), nothing);
  end();
  await expect(Promise.all([running, latecomer])).resolves.toEqual([undefined, "served"]);
});

test("nothing is kept of sources that have gone", async () => {
  const queue = new FairQueue({ concurrency: 1, waiting: 3 });
  for (let n = 0; n < 1000; n += 1) await queue.run(`source ${n}`, nothing, nothing);
  const held = Object.values(queue).filter((each) => each instanceof Map || each instanceof Set);
  expect(held.map(({ size }) => size)).toEqual([0, 0]);
});
