import { setTimeout } from "node:timers/promises";
import { median } from "../support/statistics.mjs";
import { memoryOf } from "./usage.mjs";

/** Milliseconds after the first answer at which memory counts as idle. */
const SETTLING = 3000;

/**
 * Milliseconds from the start of a contender's process to its first answer; the median of some starts. One more
 * start comes first, which does not count: when it ends, Node writes its cache of compiled code. The image of
 * the service contains such a cache.
 */
async function startTime({ lineup, name, starts }) {
  const times = [];
  for (let count = 0; count <= starts; count += 1) {
    const contender = await lineup.start(name);
    times.push(await contender.ready("/products"));
    await contender.stop("SIGTERM");
  }
  return median(times.slice(1));
}

/** The memory of a fresh process at rest, and its most memory while each path in turn loads it, in bytes. */
async function memory({ lineup, name, paths, data, generator, connections, seconds }) {
  const contender = await lineup.start(name);
  await contender.ready("/products");
  await setTimeout(SETTLING);
  const idle = await memoryOf(contender.pid);
  let loaded = idle;
  const timer = setInterval(
    () => void memoryOf(contender.pid).then((bytes) => (loaded = Math.max(loaded, bytes))),
    100,
  );
  for (const path of paths) {
    const requests = path.requests(data);
    const { freshKeys } = path;
    await generator.load({ url: contender.url, requests, freshKeys, connections, seconds });
  }
  clearInterval(timer);
  await contender.stop("SIGKILL");
  return { idle, loaded };
}

/**
 * What the process of a contender costs: `start` in milliseconds, the median of `starts` starts; and memory in
 * bytes, `idle` and `loaded` by each path for `seconds`.
 */
export const processCosts = async (options) => ({
  start: await startTime(options),
  ...(await memory(options)),
});
