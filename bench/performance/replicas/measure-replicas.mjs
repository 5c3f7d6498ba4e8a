import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Replica } from "../../support/replica.mjs";
import { median } from "../../support/statistics.mjs";
import { Lineup } from "../lineup.mjs";
import { processorTimeOfFamily } from "../usage.mjs";
import { pathsFor } from "./paths.mjs";

const COUNT = 2;

/** Each form of the service once more, with replicas. */
const withReplicas = (table, urls) =>
  Object.fromEntries(
    ["service", "alone"].flatMap((name) => {
      const { settings, ...rest } = table[name];
      const replicated = { ...settings, DATABASE_REPLICA_URLS: urls.join() };
      return [
        [name, table[name]],
        [replicatedOf(name), { ...rest, settings: replicated }],
      ];
    }),
  );

const replicatedOf = (name) => `${name} with replicas`;

/**
 * Measures reads from one database beside reads from two replicas of it, in rounds that take turns: how many there
 * are, and what each costs the primary and the replicas.
 *
 * @param {any} options
 */
export async function measureReplicas(options) {
  const { postgres, data, lineup, table, folder, cleanup } = options;
  const replicas = [];
  for (let count = 0; count < COUNT; count += 1) {
    replicas.push(await Replica.of(postgres, cleanup));
  }
  const database = new URL(data.databaseUrl).pathname.slice(1);
  const urls = replicas.map((replica) => replica.url(database));
  const ownFolder = path.join(folder, "replicas");
  await mkdir(ownFolder);
  const own = new Lineup({
    node: lineup.node,
    table: withReplicas(table, urls),
    databaseUrl: data.databaseUrl,
    folder: ownFolder,
    cleanup,
  });
  const rows = [];
  for (const each of pathsFor(data)) {
    const contenders = [await own.get(each.form), await own.get(replicatedOf(each.form))];
    const [before, after] = await inTurns(each, contenders, { ...options, replicas });
    rows.push({ ...each, before, after });
    console.error(
      `${each.title}: ${Math.round(before.rate)}/s, ${Math.round(after.rate)}/s; primary ${Math.round(before.primary)} µs, ${Math.round(after.primary)} µs`,
    );
  }
  return rows;
}

/** The medians of the rounds of each contender. */
async function inTurns({ requests }, contenders, options) {
  const { generator, postgres, replicas, rounds, seconds, connections } = options;
  const load = ({ url }) => generator.load({ url, requests, connections, seconds });
  for (const contender of contenders) await load(contender);
  const results = new Map(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const used = () =>
        Promise.all([postgres, ...replicas].map(({ pid }) => processorTimeOfFamily(pid)));
      const before = await used();
      const { count, perSecond, statuses } = await load(contender);
      const [primary, ...others] = (await used()).map((time, at) => (time - before[at]) / count);
      const ofReplicas = others.reduce((sum, time) => sum + time, 0);
      if (Object.keys(statuses).join() !== "200") throw new Error(JSON.stringify(statuses));
      results.get(contender).push({ rate: perSecond, primary, replicas: ofReplicas });
      contender.emptyLog();
    }
  }
  return contenders.map((contender) => {
    const of = (name) => median(results.get(contender).map((each) => each[name]));
    return { rate: of("rate"), primary: of("primary"), replicas: of("replicas") };
  });
}
