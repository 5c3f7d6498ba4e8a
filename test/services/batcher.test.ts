import { setImmediate, setTimeout } from "node:timers/promises";
import { Batcher, SingleFlight } from "../../src/reads/batcher";
import { eventually } from "../support/eventually";

/** A read whose runs end when the test says so. */
function controlled() {
  const runs: { keys: string[]; end: (result: string) => void; fail: (error: Error) => void }[] =
    [];
  const read = new Batcher<string, string>(
    (keys) =>
      new Promise((end, fail) => {
        runs.push({ keys: [...keys], end, fail });
      }),
  );
  const began = (count: number) => eventually(() => runs.length === count);
  return { read, runs, began };
}

test("calls of one moment share a read, which gets each key once", async () => {
  const { read, runs, began } = controlled();
  const calls = ["a", "b", "a"].map((key) => read.run(key));
  await began(1);
  runs[0]!.end("first");
  expect(await Promise.all(calls)).toEqual(["first", "first", "first"]);
  expect(runs).toMatchObject([{ keys: ["a", "b"] }]);
});

test("a call never gets the result of a read that began before it", async () => {
  const { read, runs, began } = controlled();
  const early = read.run("a");
  await began(1);
  const late = ["a", "b", "c"].map((key) => read.run(key));
  runs[0]!.end("before");
  await began(2);
  runs[1]!.end("after");
  expect(await early).toBe("before");
  expect(await Promise.all(late)).toEqual(["after", "after", "after"]);
  expect(runs).toMatchObject([{ keys: ["a"] }, { keys: ["a", "b", "c"] }]);
});

test("a request beside a connection that hangs waits for a moment, neither for seconds nor for ever", async () => {
  const { read, runs, began } = controlled();
  const hanging = read.run("a");
  await began(1);
  const next = read.run("a");
  // Timers fire in their order, however busy the machine is: the patience ends before this one.
  const later = setTimeout(500, undefined, { ref: false });
  await Promise.race([began(2), later]);
  await setImmediate();
  expect(runs).toHaveLength(2);
  runs[1]!.end("answered");
  expect(await next).toBe("answered");
  runs[0]!.end("late");
  expect(await hanging).toBe("late");
});

test("identical reads run one after the other, also while others wait for them", async () => {
  const ends: (() => void)[] = [];
  const read = () => new Promise<number>((resolve) => ends.push(() => resolve(ends.length)));
  const reads = new SingleFlight<number>();
  const first = reads.run("a", read);
  await eventually(() => ends.length === 1);
  const second = reads.run("a", read);
  ends[0]!();
  await first;
  await eventually(() => ends.length === 2);
  const third = reads.run("a", read);
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  expect(ends).toHaveLength(2);
  ends[1]!();
  await second;
  await eventually(() => ends.length === 3);
  ends[2]!();
  expect(await third).toBe(3);
});
