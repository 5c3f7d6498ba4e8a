import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { signal, until } from "../../support/processes.mjs";
import { requestsTo } from "../measure-path.mjs";
import { processorTime } from "../usage.mjs";
import { sharesOf } from "./shares.mjs";

const PROBE = path.join(import.meta.dirname, "probe.cjs");
const WARM_UP_SECONDS = 5;
const SECONDS = 10;
const WRITTEN_WITHIN = 60_000;
/** Owners with less than this share of the time are added up in one line. */
const LEAST_SHARE = 0.01;

/**
 * Loads a path of one contender and returns, as text, where its process spends the processor time of a request, in
 * microseconds. The shares are those of a sampling profile, which stays in the folder `profile` for other tools.
 */
export async function profilePath(
  measured,
  name,
  { lineup, data, generator, connections, profile: folder },
) {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${measured.name}-${name}.cpuprofile`);
  await rm(file, { force: true }); // the file of an earlier run would be taken for this run's
  const contender = await lineup.start(name, {
    NODE_OPTIONS: `--require=${PROBE}`,
    BENCH_PROFILE: file,
  });
  await contender.ready();
  const load = async (seconds) =>
    generator.load({
      url: contender.url,
      requests: await requestsTo(contender, measured, data),
      freshKeys: measured.freshKeys,
      connections,
      seconds,
    });
  await load(WARM_UP_SECONDS);
  const before = await processorTime(contender.pid);
  signal(contender.pid, "SIGUSR2");
  const { count } = await load(SECONDS);
  const perRequest = ((await processorTime(contender.pid)) - before) / count;
  signal(contender.pid, "SIGUSR2");
  await until(() => existsSync(file), WRITTEN_WITHIN, "The profile");
  await contender.stop();
  const shares = sharesOf(JSON.parse(await readFile(file, "utf8")));
  return textOf(`${measured.title}: ${lineup.table[name].title}`, perRequest, shares);
}

function textOf(title, perRequest, shares) {
  const great = shares.filter(({ share }) => share >= LEAST_SHARE);
  const rest = 1 - great.reduce((sum, { share }) => sum + share, 0);
  const line = (owner, share) =>
    `  ${(share * perRequest).toFixed(1).padStart(7)} µs ${(share * 100).toFixed(0).padStart(3)} %  ${owner}`;
  return [
    `${title}, ${perRequest.toFixed(0)} µs of Node a request`,
    ...great.map(({ owner, share }) => line(owner, share)),
    line("all others", rest),
  ].join("\n");
}
