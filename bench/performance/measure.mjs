import { addCounts, median } from "../support/statistics.mjs";
import { processorTime, processorTimeOfFamily } from "./usage.mjs";

/** Requests before the first round, for the compilers of Node and the caches of PostgreSQL. */
const WARM_UP = { requests: 1500, turns: 4 };

async function warmUp(load) {
  let answered = 0;
  for (let turn = 0; turn < WARM_UP.turns && answered < WARM_UP.requests; turn += 1) {
    answered += (await load()).count;
  }
}

/**
 * Measures contenders in short rounds. Every round measures all of them, one after another, so that
 * other work of the machine affects all alike. Resolves with the rounds of each entry.
 */
export async function measure({ entries, postgres, rounds, seconds }) {
  for (const { load } of entries) await warmUp(() => load(seconds));
  const results = new Map(entries.map((entry) => [entry, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const entry of round % 2 === 0 ? entries : entries.toReversed()) {
      const { contender, load } = entry;
      const used = () =>
        Promise.all([processorTime(contender.pid), processorTimeOfFamily(postgres.pid)]);
      const before = await used();
      const result = await load(seconds);
      const after = await used();
      const [node, database] = after.map((time, index) => (time - before[index]) / result.count);
      results.get(entry).push({ ...result, node, database });
      contender.emptyLog();
    }
  }
  return entries.map((entry) => results.get(entry));
}

/** The medians of some rounds, and how far the rates lie apart: half of their range by their median. */
export function summarise(rounds) {
  const of = (key) => median(rounds.map((round) => round[key]));
  const rates = rounds.map(({ perSecond }) => perSecond);
  const statuses = {};
  for (const round of rounds) addCounts(statuses, round.statuses);
  return {
    rate: of("perSecond"),
    node: of("node"),
    database: of("database"),
    p50: of("p50"),
    p99: of("p99"),
    spread: (Math.max(...rates) - Math.min(...rates)) / 2 / of("perSecond"),
    statuses,
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
  };
}
