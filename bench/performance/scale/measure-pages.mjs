import { lists, requestsFor } from "./pages.mjs";

/** Loads twice, and returns the second result: the first load is a warm-up. */
async function warmly(generator, job, seconds) {
  await generator.load({ ...job, seconds });
  return generator.load({ ...job, seconds });
}

/**
 * Reads the first page of each list, and then any of its pages, with `clients` connections. Every read asks the
 * database. A target is reached if any page takes at most twice as long as the first, and all requests are answered.
 */
export async function measurePages({ contender, generator, token, data, seconds, clients, tell }) {
  const rows = [];
  for (const list of lists(data)) {
    const { total, first, any } = await requestsFor(list, { url: contender.url, token });
    const job = { url: contender.url, connections: clients };
    const one = await warmly(generator, { ...job, requests: first }, seconds);
    const all = await warmly(generator, { ...job, requests: any }, seconds);
    const isAnswered = [one, all].every(({ statuses }) => Object.keys(statuses).join() === "200");
    const row = {
      ...{ title: list.title, total, most: list.most, first: one, any: all },
      isReached: isAnswered && all.p50 <= 2 * one.p50 && all.p99 <= list.most,
    };
    tell(
      `${row.title}: ${one.p50.toFixed(1)} ms, any page ${all.p50.toFixed(1)} ms, p99 ${all.p99.toFixed(1)} ms`,
    );
    rows.push(row);
  }
  return rows;
}
