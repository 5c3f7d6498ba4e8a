/** @check */

import cluster from "node:cluster";
import { once } from "node:events";
import path from "node:path";
import timers from "node:timers/promises";
import { createLogger } from "../../src/observability/log/request-log";
import { startWorkers, type Workers } from "../../src/process/workers";
import { eventually } from "../support/eventually";

const exec = path.join(__dirname, "../support/idle-worker.cjs");
const log: string[] = [];
let workers: Workers;
/** The milliseconds before each replacement, which nobody waits for here. */
const waits: (number | undefined)[] = [];
beforeAll(async () => {
  cluster.setupPrimary({ exec, execArgv: [] });
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  jest.spyOn(timers, "setTimeout").mockImplementation((wait) => {
    waits.push(wait);
    return new Promise((resolve) => setImmediate(resolve, undefined as never));
  });
  workers = await startWorkers(
    1,
    createLogger("info", { write: (line) => log.push(messageIn(line)) }),
  );
});
afterAll(async () => {
  try {
    await workers.stop();
  } finally {
    // Where a test has failed, some may be left.
    for (const worker of Object.values(cluster.workers ?? {})) worker!.process.kill("SIGKILL");
    jest.restoreAllMocks();
    jest.useRealTimers();
  }
});

const messageIn = (line: string): string => (JSON.parse(line) as { msg: string }).msg;

/** Lets the worker live for so many milliseconds of its primary's clock; resolves when the next one listens. */
async function dieAfter(milliseconds: number): Promise<void> {
  const [worker] = Object.values(cluster.workers ?? {});
  jest.advanceTimersByTime(milliseconds);
  const replaced = once(cluster, "listening");
  worker!.process.kill("SIGKILL");
  await replaced;
}

test("clients wait up to 10 s while workers die young, and 100 ms again after one that has lived", async () => {
  for (let death = 0; death < 9; death += 1) await dieAfter(29_000);
  expect(waits.splice(0)).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  await dieAfter(30_001);
  await dieAfter(0);
  expect(waits).toEqual([100, 200]);
});

test("a worker stays while its successor can't start", async () => {
  const [before] = Object.values(cluster.workers ?? {});
  log.length = 0;
  cluster.setupPrimary({ exec: "/nowhere.cjs", silent: true });
  await workers.roll();
  cluster.setupPrimary({ exec, silent: false });
  expect(log).toEqual(["a worker died", "a new worker could not start; the others stay"]);
  expect(Object.values(cluster.workers ?? {})).toEqual([before]);
});

test("a fault of a worker that is being replaced stops neither this roll nor the next", async () => {
  log.length = 0;
  const [worker] = Object.values(cluster.workers ?? {});
  // As when a connection is handed to a worker that has just closed its channel.
  cluster.once("listening", () => setImmediate(() => worker!.emit("error", new Error("EPIPE"))));
  await workers.roll();
  await workers.roll();
  expect(log).toEqual(["rolled all workers", "rolled all workers"]);
});

test("a worker that dies during a roll is followed by one worker, not by two", async () => {
  const living = () => Object.values(cluster.workers ?? {}).filter((each) => !each!.isDead());
  const others = living().length;
  const two = await startWorkers(2, createLogger("silent"));
  const last = living().at(-1);
  cluster.once("fork", () => last!.process.kill("SIGKILL"));
  await two.roll();
  expect(living()).toHaveLength(others + 2);
  await two.stop();
});

test("a stop ends the wait before a replacement, which would keep the process for seconds", async () => {
  const own = await startWorkers(1, createLogger("silent"));
  const waiting = new Promise<AbortSignal | undefined>((begun) => {
    jest.mocked(timers.setTimeout).mockImplementationOnce(async (_wait, _value, options) => {
      begun(options?.signal);
      if (options?.signal) await once(options.signal, "abort");
      return undefined;
    });
  });
  Object.values(cluster.workers ?? {})
    .at(-1)!
    .process.kill("SIGKILL");
  const signal = await waiting;
  await own.stop();
  expect(signal?.aborted).toBe(true);
});

test("a worker that can't be forked is tried again", async () => {
  log.length = 0;
  cluster.setupPrimary({ cwd: "/nowhere" });
  const [worker] = Object.values(cluster.workers ?? {});
  worker!.process.kill("SIGKILL");
  await eventually(() => log.filter((message) => message === "a worker failed").length > 1);
  const replaced = once(cluster, "listening");
  cluster.setupPrimary({ cwd: process.cwd() });
  await replaced;
});

test("a worker that does not end when asked is killed after 9.5 s", async () => {
  const [worker] = Object.values(cluster.workers ?? {});
  // A process that is stopped gets the question, and does not answer it.
  worker!.process.kill("SIGSTOP");
  const ended = once(worker!, "exit");
  jest.clearAllTimers(); // of others: the workers have none now
  const stopped = workers.stop();
  jest.advanceTimersByTime(9_499);
  await new Promise((resolve) => setImmediate(resolve));
  expect(worker!.isDead()).toBe(false);
  jest.advanceTimersByTime(1);
  expect(await ended).toEqual([null, "SIGKILL"]);
  await stopped;
  expect(jest.getTimerCount()).toBe(0);
});
