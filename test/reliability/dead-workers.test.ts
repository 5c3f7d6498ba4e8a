import cluster from "node:cluster";
import { once } from "node:events";
import path from "node:path";
import timers from "node:timers/promises";
import { createLogger } from "../../src/operations/logger";
import { startWorkers, type Workers } from "../../src/process/workers";

let workers: Workers;
/** The milliseconds before each replacement, which nobody waits for here. */
const waits: (number | undefined)[] = [];
beforeAll(async () => {
  cluster.setupPrimary({ exec: path.join(__dirname, "../support/idle-worker.cjs"), execArgv: [] });
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  jest.spyOn(timers, "setTimeout").mockImplementation((wait) => {
    waits.push(wait);
    return Promise.resolve(undefined as never);
  });
  workers = await startWorkers(1, createLogger("fatal"));
});
afterAll(async () => {
  await workers.stop();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

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
